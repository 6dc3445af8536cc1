import { z } from 'zod';
import { COUNTRY_CODES } from '../domain/regions.ts';
import { BUSINESS_TYPES } from '../domain/stack-report-types.ts';
import { ListingFileSchema, line, regions, requirement, slug } from './listing.ts';

const types = z.array(z.enum(BUSINESS_TYPES)).min(1);

/** When an entry counts; absent conditions hold for everybody. */
const conditions = {
  for: types.optional(),
  not_for: types.optional(),
  /** People in the business, from and to, where another size has another order. */
  teams: z.tuple([z.int().min(1), z.int().min(1)]).optional(),
};

/** A tool in its place, with what an owner would want to hear about it in one sentence. */
const tool = z.strictObject({
  id: ListingFileSchema.shape.id,
  reason: line(160),
  /** What this tool does of the need, where that is less: a video tool edits no photos. */
  purpose: line(60).optional(),
  /** What speaks against it, where the first caveat of its listing is not the point. */
  minus: line(160).optional(),
  /** What to do with this tool once the account is there, where the steps of the need do not fit it. */
  first_hour: z.array(line(120)).min(1).max(3).optional(),
  ...conditions,
  /** Where it is the choice; never wider than the regions of its listing. */
  regions: regions.optional(),
  not_regions: regions.optional(),
  /** Accounts that the free use has for this need, where the listing has more or does not say. */
  max_seats: z.int().min(1).optional(),
  /** People in the business up to which it is the choice: a ceiling of revenue is no matter of accounts. */
  max_team: z.int().min(1).optional(),
  /** What has to be there first for this need, besides what the listing says. */
  requires: z.array(requirement).min(1).optional(),
  /** Countries whose law closes the need to others, and for which this tool is known to be approved. */
  approved_in: regions.optional(),
});

/** The tool of another need, because this need belongs there: the card reader to the till. */
const sameAs = z.strictObject({ same_as: slug, reason: line(160), ...conditions });

const wellKnown = z.strictObject({
  name: line(80),
  homepage: z.url({ protocol: /^https$/, error: 'must be an https address' }).max(500),
  why_not_picked: line(200),
  for: conditions.for,
  teams: conditions.teams,
  regions: regions.optional(),
  /** Where it takes no businesses: a name that is not to be had is no help. */
  not_regions: regions.optional(),
});

/** Countries without some vendors: those named, or all that run online except those named. */
const closed = z.strictObject({
  regions,
  vendors: z.array(line(80)).min(1).optional(),
  but: z.array(line(80)).default([]),
});

const processor = z.strictObject({ regions: regions.optional(), not_regions: regions.optional() });

const seats = z.enum(['owner', 'staff']);

/**
 * What the law of countries says of a need, whichever tool is meant. Where it `bars`, none is picked that is not
 * approved there: the state takes part in invoices, or certifies tills.
 */
const law = z.strictObject({
  bars: z.array(z.strictObject({ regions, ...conditions })).default([]),
  /** What to do in a barred country, in place of what the need says for others. */
  way_out: line(240).optional(),
  /** What an asker of a barred country is told, where more is known than the way out of the need. */
  ways_out: z.partialRecord(z.enum(COUNTRY_CODES), line(240)).default({}),
  /** What an asker of such a country has to know beside a pick. */
  notes: z.array(z.strictObject({ regions, text: line(240), ...conditions })).default([]),
  /** The same where no country is given. */
  unplaced: line(240).nullable().default(null),
});

const need = z.strictObject({
  /** What it is for; reads after "to", as in "to build your website". */
  purpose: line(60),
  /** Who must have an account: the owner (one or two people), or all of the staff. */
  seats,
  /** Where it is otherwise for a business type: an agency's clients are everybody's, a florist's are the owner's. */
  seats_for: z.partialRecord(z.enum(BUSINESS_TYPES), seats).default({}),
  /** The need itself is taking money, so a fee on each sale is no fault of a tool. */
  takes_money: z.boolean(),
  /** Our estimate for one who does it for the first time. */
  setup_minutes: z.int().min(5).max(480),
  /** What to do once the account is there, as orders in this order. */
  first_hour: z.array(line(120)).min(1).max(3),
  /** What a business type has to know of any tool for it, where its trade is not known. */
  notes_for: z.partialRecord(z.enum(BUSINESS_TYPES), line(240)).default({}),
  /** Needs that are better set up before this one. */
  after: z.array(slug),
  /** What to do where no tool serves. */
  way_out: line(240).nullable(),
  /** What to do where papers of clients must not lie in private accounts; null where the need holds none. */
  way_out_confidential: line(240).nullable().default(null),
  /** Where it is another for a business type. */
  ways_out: z.partialRecord(z.enum(BUSINESS_TYPES), line(240)).default({}),
  /** Where it is another in some countries: their market places, their ways to pay. The first that fits is said. */
  ways_out_in: z.array(z.strictObject({ regions, text: line(240), ...conditions })).default([]),
  /** People from whom on a business has the need; smaller ones only if they ask for it. */
  from_team: z.int().min(1).default(1),
  law: law.default({ bars: [], ways_out: {}, notes: [], unplaced: null }),
  /** Where each who works with it pays once it is no longer free, though one account is enough until then. */
  paid_seats: z.literal('staff').optional(),
  /** In the order of choice; empty where only trades have tools for it. */
  shelf: z.array(z.union([tool, sameAs])),
  /** A report names two: those of the asker's country first. */
  also_well_known: z.array(wellKnown).max(60),
});

const shelvesFile = z.strictObject({
  business_types: z.record(
    z.enum(BUSINESS_TYPES),
    z.strictObject({ needs: z.array(slug).min(1), needs_for_teams: z.array(slug) }),
  ),
  /** Countries by what they have in common, for `not_regions` to name. */
  country_lists: z.record(slug, regions).default({}),
  closed_to: z.array(closed).default([]),
  /** Firms through which tools take money, and where they serve businesses. */
  processors: z.record(line(40), processor).default({}),
  needs: z.record(slug, need),
  /** What the law or the habit of a country or a trade demands, whichever tools are picked. */
  musts: z
    .array(
      z.strictObject({
        text: line(240),
        ...conditions,
        regions: regions.optional(),
        trades: z.array(slug).min(1).optional(),
      }),
    )
    .default([]),
  /** Needs whose picks do not work together unless one vendor has both; {a} and {b} stand for the picks. */
  gaps: z.array(z.strictObject({ needs: z.tuple([slug, slug]), text: line(240) })).default([]),
});

const written = z.looseObject({
  country_lists: z.record(z.string(), z.array(z.string())),
  needs: z.record(z.string(), z.unknown()),
  processors: z.record(z.string(), z.unknown()).default({}),
});

/** Where a list of countries may be named: what bars, and what the law says of. */
const LISTS = ['regions', 'not_regions'];

/** Puts the countries of a list where it is named. */
const spelledOut = (file: unknown): unknown => {
  const { success, data } = written.safeParse(file);
  if (!success) return file;
  const lists = data.country_lists;
  const { needs, processors } = data;
  const spelled = JSON.stringify({ needs, processors }, (key, value) =>
    LISTS.includes(key) && Array.isArray(value) && value.some((word: string) => word in lists)
      ? [...new Set(value.flatMap((word: string) => lists[word] ?? [word]))].sort()
      : value,
  );
  return { ...data, ...JSON.parse(spelled) };
};

export const ShelvesFileSchema = z.preprocess(spelledOut, shelvesFile);

export type ShelvesFile = z.infer<typeof ShelvesFileSchema>;
