import { areWide, inRegions } from './regions.ts';
import type {
  AskedTrade,
  BusinessType,
  Conditions,
  Need,
  Proof,
  Requirement,
  SameAs,
  ShelfTool,
  Tool,
  ToolDirectory,
  ToolNotes,
} from './stack-report-types.ts';

/** The business that a report is for, with everything that decides between two tools. */
export type BusinessProfile = {
  readonly businessType: BusinessType;
  readonly teamSize: number | null;
  readonly freeOnly: boolean;
  readonly country: string | null;
  readonly today: string;
  readonly trade?: AskedTrade | undefined;
  /** Needs asked for by name, besides those of the business type. */
  readonly asked: ReadonlySet<string>;
};

export type Mismatch = 'law' | 'country' | 'private' | 'size' | 'team' | 'cost' | 'requires' | 'proof';

/** What the shelf of a need holds for a business. */
export type Shelf = {
  readonly need: Need;
  /** Ids of the tools that are for this business, in the order of the shelf. */
  readonly order: ReadonlySet<string>;
  /** Those that may be the pick, in the order of choice. */
  readonly fit: readonly ShelfTool[];
  /** The others in the order of the shelf, each with what keeps it from being the pick. */
  readonly rest: readonly { readonly place: ShelfTool; readonly mismatch: Mismatch }[];
};

export type Choice = { readonly shelf: Shelf; readonly place: ShelfTool };

/** How far below the best place a tool may be that also meets another need. */
const PLACES_BEHIND = 2;

/** A shelf is looked through until so many fit: a pick, two alternatives, and some that are taken elsewhere. */
const ENOUGH = 8;

/** Whether all of the staff must have an account, and not the owner alone. */
export const isForStaff = (need: Need, { businessType }: BusinessProfile): boolean =>
  (need.seats_for[businessType] ?? need.seats) === 'staff';

/** Whether the conditions of an entry hold for a kind of business and its size. */
export const isFor = (
  { for: types, not_for, teams: [from, to] = [1, Number.POSITIVE_INFINITY] }: Conditions,
  { businessType, teamSize }: Pick<BusinessProfile, 'businessType' | 'teamSize'>,
): boolean =>
  (types?.includes(businessType) ?? true) &&
  !not_for?.includes(businessType) &&
  (teamSize ?? 1) >= from &&
  (teamSize ?? 1) <= to;

/** A need with the tools of the asker's trade in front of its shelf. */
export function ofTrade(need: Need, profile: BusinessProfile, directory: ToolDirectory): Need {
  const own = profile.trade?.match?.trade;
  const tools = own?.tools[need.slug] ?? [];
  const name = own?.need_names?.[need.slug] ?? need.name;
  const front = tools.flatMap(({ id, reason, teams, first_hour }) => {
    const known = need.shelf.filter((entry) => 'tool' in entry).filter(({ tool }) => tool.id === id);
    const fitting = known.filter((entry) => isFor(entry, profile));
    const listed = known.length > 0 ? [] : [directory.place(need.slug, id) ?? []].flat();
    // The trade decides for whom a tool is; how many people and which countries it serves stays as it is.
    return [...(fitting.length > 0 ? fitting : known), ...listed].map(
      (place): ShelfTool => ({
        ...place,
        reason,
        for: undefined,
        not_for: undefined,
        teams: teams ?? place.teams,
        first_hour: first_hour ?? place.first_hour,
        isOfTrade: true,
      }),
    );
  });
  const isClosed = own?.own_tools_only?.includes(need.slug) ?? false;
  const shelf = isClosed ? front : [...front, ...need.shelf];
  // Where general tools do not serve the trade, those of every country do not either.
  const also_well_known = isClosed
    ? need.also_well_known.filter(({ regions }) => regions !== undefined)
    : need.also_well_known;
  return { ...need, name, shelf, also_well_known, later: isLater(shelf) };
}

/** Whether a country’s law closes a need to a tool; a business type narrows it to what holds for that. */
export const isBarredIn = (
  { law }: Pick<Need, 'law'>,
  { approved_in }: Pick<ShelfTool, 'approved_in'>,
  country: string | null,
  businessType?: BusinessType,
): boolean =>
  country !== null &&
  !inRegions(country, approved_in) &&
  law.bars.some(
    (bar) =>
      inRegions(country, bar.regions) &&
      (businessType === undefined ? bar.for === undefined : isFor(bar, { businessType, teamSize: null })),
  );

/**
 * What a business does where no tool is available; where the law rules tools out, what the country offers
 * instead.
 */
export function wayOutOf(
  need: Pick<Need, 'slug' | 'law' | 'ways_out' | 'ways_out_in' | 'way_out' | 'way_out_confidential'>,
  { businessType, teamSize, country, trade }: BusinessProfile,
): string | null {
  const { law, ways_out, ways_out_in, way_out, way_out_confidential } = need;
  const own = trade?.match?.trade;
  const isClosed = isBarredIn(need, { approved_in: [] }, country, businessType);
  const lawful = isClosed ? (law.ways_out[country ?? ''] ?? law.way_out) : undefined;
  const local = ways_out_in.find(
    (way) => country !== null && inRegions(country, way.regions) && isFor(way, { businessType, teamSize }),
  );
  const ofTrade = own?.ways_out?.[need.slug] ?? (own?.confidential ? way_out_confidential : null);
  return ofTrade ?? lawful ?? local?.text ?? ways_out[businessType] ?? way_out;
}

/** Lines without the advice to ask an accountant, where the owner is one. */
export const unadvised = (lines: readonly string[], { trade }: Pick<BusinessProfile, 'trade'>): string[] =>
  trade?.match?.trade.is_adviser
    ? lines
        .map((line) => line.replace(ADVICE, '').trim())
        .filter((line) => !/\byour (?:accountant|bookkeeper|auditor)\b/.test(line) && line !== '')
    : [...lines];

const ADVICE = /(?:[:;,]? and|[:;,])? ?\b[Aa]sk your (?:accountant|auditor)\b[^.]*(?=\.)/g;

/** The legal notes for a pick. */
export const lawNotes = ({ law }: Need, profile: BusinessProfile): readonly string[] =>
  profile.country === null
    ? [law.unplaced ?? []].flat()
    : law.notes
        .filter((note) => inRegions(profile.country ?? '', note.regions) && isFor(note, profile))
        .map(({ text }) => text);

/** Accounts that a need asks for. */
export const seatsFor = (need: Need, profile: BusinessProfile): number =>
  isForStaff(need, profile) ? (profile.teamSize ?? 1) : 1;

/** Whether a tool serves a country; where none is given, whether it serves nearly all. */
const serves = ({ regions, not_regions, closed_to }: ShelfTool, country: string | null): boolean =>
  country === null
    ? areWide(regions)
    : (regions === null || inRegions(country, regions)) &&
      !inRegions(country, not_regions) &&
      !inRegions(country, closed_to);

/** Whether a need would put papers of the business into private accounts of its people. */
const isPrivate = ({ notes }: ShelfTool, { way_out_confidential }: Need): boolean =>
  notes.own_accounts && way_out_confidential !== null;

/** What keeps a tool from being the pick; `tied` where it is picked already for the need that this one belongs to. */
function mismatchOf(place: ShelfTool, need: Need, profile: BusinessProfile, tied: boolean): Mismatch | null {
  const { tool, seats, max_team, requires } = place;
  if (isBarredIn(need, place, profile.country, profile.businessType)) return 'law';
  if (!serves(place, profile.country)) return 'country';
  if (isPrivate(place, need) && profile.trade?.match?.trade.confidential) return 'private';
  if (max_team !== null && (profile.teamSize ?? 1) > max_team) return 'size';
  if (typeof seats === 'number' && seats < seatsFor(need, profile)) return 'team';
  // For needs that take money, a fee per sale is normal; elsewhere it is a price, unless it is already paid.
  const isFair = tool.cost === null || tied || (tool.cost.on === 'sales' && need.takes_money);
  if (profile.freeOnly && !isFair) return 'cost';
  if (proofOf(tool, place.notes, profile.today) === 'thin') return 'proof';
  return requires.length > 0 ? 'requires' : null;
}

/** The firms that serve a country, those of the country itself only where not all of the others do. */
export function servingIn({ processors }: ShelfTool, country: string): readonly string[] {
  const serving = processors.filter(({ not_in }) => !not_in.includes(country));
  const isKnown = processors.every((firm) => firm.at_home || serving.includes(firm));
  return serving.filter(({ at_home }) => !at_home || !isKnown).map(({ name }) => name);
}

/** The firms that a tool names everywhere. */
export const mainFirms = ({ processors }: ShelfTool): readonly string[] =>
  processors.filter(({ at_home }) => !at_home).map(({ name }) => name);

/** A tool with the payment firm that serves the country: one of a 'PayPal or Stripe account'. */
function paidIn(place: ShelfTool, country: string | null): ShelfTool {
  if (country === null || place.notes.paid_into === null) return place;
  const serving = servingIn(place, country);
  if (serving.length === 0 || mainFirms(place).every((name) => serving.includes(name))) return place;
  return { ...place, notes: { ...place.notes, paid_into: `${serving.join(' or ')} account` } };
}

/** The tools that were picked for other needs. */
type Picked = ReadonlyMap<string, ShelfTool>;

/** Requirements that a pick meets for others: some shops allow a visitor counter, free website builders do not. */
const BROUGHT_BY: Partial<Record<Requirement, string>> = {
  online_shop: 'online_store',
  open_site: 'online_store',
};

/** A tool in its place, without the requirements that come with another pick. */
const withoutBrought = (entry: ShelfTool, picked: Picked): ShelfTool => {
  const isBrought = (what: Requirement): boolean => {
    const shop = picked.get(BROUGHT_BY[what] ?? '');
    return shop !== undefined && (what !== 'open_site' || shop.notes.open_site);
  };
  const requires = entry.requires.filter((what) => !isBrought(what));
  return requires.length === entry.requires.length ? entry : { ...entry, requires };
};

/** The shelf of a need for a business, beside what was picked for those that it belongs to. */
function shelfOf(need: Need, profile: BusinessProfile, picked: Picked): Shelf {
  const order = new Set<string>();
  const fit: ShelfTool[] = [];
  const rest: { place: ShelfTool; mismatch: Mismatch }[] = [];
  for (const entry of need.shelf) {
    // The pick, its alternatives and tools shared with other needs are among these.
    if (fit.length === ENOUGH) break;
    const tied = 'same_as' in entry;
    const place = isFor(entry, profile)
      ? tied
        ? sameTool(need, entry, picked)
        : paidIn(withoutBrought(entry, picked), profile.country)
      : null;
    if (place === null) continue;
    if (order.has(place.tool.id)) {
      // A tool listed first for some countries may be listed again, lower, for others.
      const elsewhere = rest.findIndex(
        ({ place: { tool }, mismatch }) => tool.id === place.tool.id && mismatch === 'country',
      );
      if (elsewhere < 0) continue;
      rest.splice(elsewhere, 1);
    }
    order.add(place.tool.id);
    const mismatch = mismatchOf(place, need, profile, tied);
    if (mismatch !== null) rest.push({ place, mismatch });
    else fit.push(place);
  }
  // An agency that asks for it by name can look after a server.
  const withServer = fit.length === 0 && profile.businessType === 'agency' && profile.asked.has(need.slug);
  if (!withServer) return { need, order, fit, rest };
  const able = rest.filter(({ mismatch }) => mismatch === 'requires').map(({ place }) => place);
  return { need, order, fit: able, rest: rest.filter(({ mismatch }) => mismatch !== 'requires') };
}

/** The tool of another need, where its listing covers this one. */
const sameTool = (need: Need, { same_as, reason }: SameAs, picked: Picked): ShelfTool | null => {
  const other = picked.get(same_as);
  return other?.tool.categories.includes(need.slug) && !other.notes.one_need_only
    ? { ...other, reason, purpose: null, minus: null }
    : null;
};

/** Whether a need is decided after others, whose picks meet the requirements of its tools. */
export const isLater = (shelf: Need['shelf']): boolean =>
  shelf.some((entry) => 'tool' in entry && entry.requires.some((what) => what in BROUGHT_BY));

const tiesOf = (need: Need, profile: BusinessProfile): readonly SameAs[] =>
  need.shelf.filter((entry) => 'same_as' in entry).filter((entry) => isFor(entry, profile));

/** Whether a tool costs something that cannot be avoided where the best of the shelf does not. */
const isDearer = ({ tool }: ShelfTool, best: ShelfTool | undefined): boolean =>
  tool.cost !== null && best?.tool.cost === null;

/** The places that a tool may have to be picked for several needs; a tool of the trade gives way to no other. */
const near = ({ fit }: Shelf): readonly ShelfTool[] =>
  fit
    .slice(0, fit[0]?.isOfTrade ? 1 : PLACES_BEHIND + 1)
    .filter((place) => !place.notes.one_need_only && !isDearer(place, fit[0]));

/** A tool that is near the best for several needs is picked for all of them, the best placed first. */
function sharedTools(shelves: readonly Shelf[]): Map<string, ShelfTool> {
  const spans = new Map<string, { need: string; place: ShelfTool; points: number }[]>();
  for (const shelf of shelves)
    for (const place of near(shelf)) {
      const points = PLACES_BEHIND + 1 - shelf.fit.indexOf(place);
      spans.set(place.tool.id, [
        ...(spans.get(place.tool.id) ?? []),
        { need: shelf.need.slug, place, points },
      ]);
    }
  const total = (span: readonly { points: number }[]) => span.reduce((sum, { points }) => sum + points, 0);
  const chosen = new Map<string, ShelfTool>();
  for (const [, span] of [...spans].sort(
    ([a, one], [b, two]) => total(two) - total(one) || (a < b ? -1 : 1),
  )) {
    const open = span.filter(({ need }) => !chosen.has(need));
    if (open.length > 1) for (const { need, place } of open) chosen.set(need, place);
  }
  return chosen;
}

/** For each need its shelf and, where something fits, the pick; in the order of the needs. */
export function fillShelves(
  needs: readonly Need[],
  profile: BusinessProfile,
): readonly { readonly shelf: Shelf; readonly place: ShelfTool | null }[] {
  const loose = needs.filter((need) => tiesOf(need, profile).length === 0 && !need.later);
  const shelves = new Map(loose.map((need) => [need.slug, shelfOf(need, profile, new Map())]));
  const chosen = sharedTools([...shelves.values()]);
  const taken = new Set<string>();
  const first = ({ fit }: Shelf) =>
    fit.find(({ tool, notes }) => !(notes.one_need_only && taken.has(tool.id)));
  const take = (slug: string, place: ShelfTool | undefined) => {
    if (place === undefined) return;
    chosen.set(slug, place);
    taken.add(place.tool.id);
  };
  for (const [slug, shelf] of shelves) take(slug, chosen.get(slug) ?? first(shelf));
  for (const need of needs.filter(({ slug }) => !shelves.has(slug))) {
    const ties = new Set(tiesOf(need, profile).map(({ same_as }) => chosen.get(same_as)?.tool.id));
    const shelf = shelfOf(need, profile, chosen);
    const known = ties.has(shelf.fit[0]?.tool.id ?? '')
      ? shelf.fit[0]
      : near(shelf).find(({ tool }) => taken.has(tool.id));
    shelves.set(need.slug, shelf);
    take(need.slug, known ?? first(shelf));
  }
  return needs.map(({ slug }) => ({ shelf: shelves.get(slug) as Shelf, place: chosen.get(slug) ?? null }));
}

const STRONG_MONTHS = 18;

/** The ISO day a number of months earlier; used only in comparisons, so a 31st of a short month is harmless. */
export function monthsBefore(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  const year = String(Math.floor(index / 12)).padStart(4, '0');
  return `${year}-${String((index % 12) + 1).padStart(2, '0')}${day.slice(7)}`;
}

/** The latest day on which the vendor's text is known to have been published; null for a text of unknown age. */
const textDay = ({ check }: Pick<Tool, 'check'>): string | null =>
  check.method === 'live_page' ? check.checked_on : check.source_dated;

/**
 * How well the vendor's words carry a pick on a day. `strong`: words of the last 18 months, or a licence in the
 * vendor's own repository, which does not age like a price. `fair`: older words, of unknown age, or written down by
 * somebody else. `thin`: the words only mention that something is free.
 */
export function proofOf(
  tool: Pick<Tool, 'check'>,
  { proves }: Pick<ToolNotes, 'proves'>,
  today: string,
): Proof {
  const { method } = tool.check;
  if (proves === 'mention') return 'thin';
  if (method === 'transcription') return 'fair';
  if (proves === 'licence' && method === 'vendor_repository') return 'strong';
  const day = textDay(tool);
  return day !== null && day >= monthsBefore(today, STRONG_MONTHS) ? 'strong' : 'fair';
}
