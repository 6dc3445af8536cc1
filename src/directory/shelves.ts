import { z } from 'zod';
import { BUSINESS_TYPES } from '../domain/directory-labels.ts';
import { COUNTRY_CODES } from '../domain/regions.ts';
import { https, ListingFileSchema, line, regions, requirement, slug } from './listing.ts';

const types = z.array(z.enum(BUSINESS_TYPES)).min(1);

/** The conditions under which an entry applies; absent conditions hold for everybody. */
const conditions = {
  for: types.optional(),
  not_for: types.optional(),
  /** Smallest and largest business for this entry, in people, if the order differs by size. */
  teams: z.tuple([z.int().min(1), z.int().min(1)]).optional(),
};

/** A tool on the shelf, with one sentence that an owner would want to read about it. */
const tool = z.strictObject({
  id: ListingFileSchema.shape.id,
  reason: line(160),
  /** The part of the need that this tool meets, if not all of it: a video tool does not edit photos. */
  purpose: line(60).optional(),
  /** The main drawback of the tool, if that is not the first caveat of its listing. */
  minus: line(160).optional(),
  /** Steps once the account is open, if the steps of the need do not fit this tool. */
  first_hour: z.array(line(120)).min(1).max(3).optional(),
  ...conditions,
  /** The countries where the tool may be picked; never more than the regions of its listing. */
  regions: regions.optional(),
  not_regions: regions.optional(),
  /** Accounts on the free plan for this need, if the listing names more or does not say. */
  max_seats: z.int().min(1).optional(),
  /**
   * Maximum size of a business that the tool is chosen for; for example, a revenue limit does not depend on accounts.
   */
  max_team: z.int().min(1).optional(),
  /** What an owner must have first for this need, in addition to the requirements of the listing. */
  requires: z.array(requirement).min(1).optional(),
  /** Countries whose law allows only approved tools for the need, and where this tool is approved. */
  approved_in: regions.optional(),
});

/** Uses the tool that was picked for another need: a card reader comes from the vendor of the till. */
const sameAs = z.strictObject({ same_as: slug, reason: line(160), ...conditions });

const wellKnown = z.strictObject({
  name: line(80),
  homepage: z.url({ protocol: /^https$/, error: 'must be an https address' }).max(500),
  why_not_picked: line(200),
  for: conditions.for,
  teams: conditions.teams,
  regions: regions.optional(),
  /** Countries whose businesses the tool does not accept, so that naming it there would not help. */
  not_regions: regions.optional(),
});

/** Countries that some vendors do not serve: the vendors named, or all online tools except those named. */
const closed = z.strictObject({
  regions,
  vendors: z.array(line(80)).min(1).optional(),
  but: z.array(line(80)).default([]),
});

const processor = z.strictObject({ regions: regions.optional(), not_regions: regions.optional() });

const seats = z.enum(['owner', 'staff']);

/**
 * What the law of some countries says about a need, whichever tool is used. With `bars`, only approved tools are
 * picked, because the state handles invoices or certifies tills.
 */
const law = z.strictObject({
  bars: z.array(z.strictObject({ regions, ...conditions })).default([]),
  /** What to do in a barred country, instead of the general advice of the need. */
  way_out: line(240).optional(),
  /** Advice for callers from a barred country, if more is known than the general advice of the need. */
  ways_out: z.partialRecord(z.enum(COUNTRY_CODES), line(240)).default({}),
  /** What a caller from such a country should know about a pick. */
  notes: z.array(z.strictObject({ regions, text: line(240), ...conditions })).default([]),
  /** The note for a request without a country. */
  unplaced: line(240).nullable().default(null),
});

const need = z.strictObject({
  /** The purpose of the need; follows the word "to", as in "to build your website". */
  purpose: line(60),
  /** The people who must have an account: the owner (one or two people), or all of the staff. */
  seats,
  /**
   * Exceptions by business type: everyone at an agency works with its clients, but only the owner of a florist does.
   */
  seats_for: z.partialRecord(z.enum(BUSINESS_TYPES), seats).default({}),
  /** Whether the need itself is taking money. A fee on each sale then does not count against a tool. */
  takes_money: z.boolean(),
  /** Our estimate for a first-time user. */
  setup_minutes: z.int().min(5).max(480),
  /** Steps once the account is open, in order, as imperatives. */
  first_hour: z.array(line(120)).min(1).max(3),
  /** What a business type should know about any tool for it, if the trade is unknown. */
  notes_for: z.partialRecord(z.enum(BUSINESS_TYPES), line(240)).default({}),
  /** Needs that are better set up before this one. */
  after: z.array(slug),
  /** What to do if no tool fits. */
  way_out: line(240).nullable(),
  /** What to do if client documents must not be kept in private accounts; null if the need stores none. */
  way_out_confidential: line(240).nullable().default(null),
  /** Exceptions by business type. */
  ways_out: z.partialRecord(z.enum(BUSINESS_TYPES), line(240)).default({}),
  /** Exceptions by country, such as local marketplaces or ways to pay. The first one that fits is used. */
  ways_out_in: z.array(z.strictObject({ regions, text: line(240), ...conditions })).default([]),
  /** The number of people from which a business has the need; a smaller one has it only on request. */
  from_team: z.int().min(1).default(1),
  law: law.default({ bars: [], ways_out: {}, notes: [], unplaced: null }),
  /** Set if each user costs extra after the free plan, although one account is enough until then. */
  paid_seats: z.literal('staff').optional(),
  /** The tools in order of preference; empty if only trades have tools for the need. */
  shelf: z.array(z.union([tool, sameAs])),
  /** A report names two of these tools, with those of the caller's country first. */
  also_well_known: z.array(wellKnown).max(60),
});

const shelvesFile = z.strictObject({
  business_types: z.record(
    z.enum(BUSINESS_TYPES),
    z.strictObject({ needs: z.array(slug).min(1), needs_for_teams: z.array(slug) }),
  ),
  /** Countries grouped by what they have in common, for use in `not_regions`. */
  country_lists: z.record(slug, regions).default({}),
  closed_to: z.array(closed).default([]),
  /** Firms that process payments for tools, and where they serve businesses. */
  processors: z.record(line(40), processor).default({}),
  needs: z.record(slug, need),
  /**
   * What a trade, or the law or custom of a country, demands, whichever tools are picked. First what a trade
   * must know in one country, then everywhere; a report shows them in this order, its trade's first one on top.
   */
  musts: z
    .array(
      z.strictObject({
        text: line(240),
        /** The page of an authority that says so. */
        source_url: https.optional(),
        ...conditions,
        regions: regions.optional(),
        /** `other`: every trade without its own entry. */
        trades: z.array(slug).min(1).optional(),
        not_trades: z.array(slug).min(1).optional(),
        /** Whether an owner does it before any other step. */
        first: z.literal(true).optional(),
      }),
    )
    .default([]),
  /** Needs whose picks work together only if one vendor offers both; {a} and {b} are placeholders for the picks. */
  gaps: z.array(z.strictObject({ needs: z.tuple([slug, slug]), text: line(240) })).default([]),
});

const written = z.looseObject({
  country_lists: z.record(z.string(), z.array(z.string())),
  needs: z.record(z.string(), z.unknown()),
  processors: z.record(z.string(), z.unknown()).default({}),
});

/** The fields that may name a list of countries. */
const LISTS = ['regions', 'not_regions'];

/** Replaces the name of a list with its countries. */
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
