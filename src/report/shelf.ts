import type { Directory } from '../directory/directory.ts';
import { proofOf } from '../directory/listing.ts';
import { isBarredIn, isFor, type Need, type SameAs, type ShelfTool } from '../directory/needs.ts';
import type { BusinessType, Requirement } from '../domain/directory-labels.ts';
import { areWide, inRegions } from '../domain/regions.ts';
import type { AskedTrade, PaidTool } from '../trades/trades.ts';

/** The business that a report is for, and its wishes. */
export type StackRequest = {
  readonly businessType: BusinessType;
  /** Category slugs in addition to the needs of the business type. */
  readonly needs: readonly string[];
  readonly teamSize: number | null;
  readonly freeOnly: boolean;
  readonly country: string | null;
  readonly trade?: AskedTrade | undefined;
  /** Paid tools that suit this business, the best first. */
  readonly paid?: readonly PaidTool[] | undefined;
  readonly generatedOn: string;
};

export type Mismatch = 'law' | 'country' | 'private' | 'size' | 'team' | 'cost' | 'requires' | 'proof';

/** The shelf of one need, judged for one business. */
export type Shelf = {
  readonly need: Need;
  /** Ids of the tools that are meant for this business, in shelf order. */
  readonly order: ReadonlySet<string>;
  /** Tools that may be picked, in order of choice. */
  readonly fit: readonly ShelfTool[];
  /** The other tools in shelf order, each with the reason why it cannot be the pick. */
  readonly rest: readonly { readonly place: ShelfTool; readonly mismatch: Mismatch }[];
};

export type Choice = { readonly shelf: Shelf; readonly place: ShelfTool };

/** A tool that also meets another need may be picked if it is at most this many places behind the best one. */
const PLACES_BEHIND = 2;

/** Whether everybody on the staff must have an account, not only the owner. */
export const isForStaff = (need: Need, { businessType }: StackRequest): boolean =>
  (need.seats_for[businessType] ?? need.seats) === 'staff';

const ONLINE =
  /\b(?:online|virtual(?! reality)|remote|web ?shop|e-?(?:commerce|learning)|tele(?:health|medicine|therapy))\b/i;

/** "Online and in-person tutor", "bike shop and web shop" */
const IN_PERSON =
  /\b(?:in[ -]person|offline|local|home)\b|\bonline (?:and|&|or)\s|\s(?:and|&|with) (?:an? )?(?:online|web)/i;

/** Whether the caller's words say that customers are met only online: map services list no such business. */
export const isOnlineOnly = (trade: AskedTrade | undefined): boolean =>
  trade !== undefined && ONLINE.test(trade.asked) && !IN_PERSON.test(trade.asked);

/** A need with the tools of the requested trade at the front of its shelf. */
export function ofTrade(need: Need, profile: StackRequest, directory: Directory): Need {
  if (need.slug === 'seo_local' && isOnlineOnly(profile.trade))
    return {
      ...need,
      shelf: need.shelf.filter((entry) => isFor(entry, { ...profile, businessType: 'online_store' })),
      also_well_known: [],
    };
  const own = profile.trade?.match?.trade;
  const tools = own?.tools[need.slug] ?? [];
  const steps = own?.first_hour?.[need.slug];
  const front = tools.flatMap(({ id, reason, purpose, teams, first_hour }) => {
    const onShelf = need.shelf.filter((entry) => 'tool' in entry).filter(({ tool }) => tool.id === id);
    const known = onShelf.length > 0 ? onShelf : [directory.place(need.slug, id) ?? []].flat();
    const fitting = known.filter((entry) => isFor(entry, profile));
    // The trade decides which businesses a tool suits, but not how many people or which countries it serves.
    return (fitting.length > 0 ? fitting : known).map(
      (place): ShelfTool => ({
        ...place,
        reason: (own?.is_neighbor && place.reason) || reason,
        purpose: purpose ?? place.purpose,
        for: undefined,
        not_for: undefined,
        teams: teams ?? place.teams,
        first_hour: first_hour ?? steps ?? place.first_hour,
        isOfTrade: true,
      }),
    );
  });
  const isClosed = own?.own_tools_only?.includes(need.slug) ?? false;
  const general = need.shelf.map((entry) =>
    steps === undefined || 'same_as' in entry ? entry : { ...entry, first_hour: steps },
  );
  return {
    ...need,
    name: own?.need_names?.[need.slug] ?? need.name,
    first_hour: steps ?? need.first_hour,
    shelf: isClosed ? front : [...front, ...general],
    // If general tools do not suit the trade, well-known tools of no particular country do not suit it either.
    also_well_known: need.also_well_known.filter(({ regions }) => !isClosed || regions !== undefined),
  };
}

/**
 * What a business can do if no tool is available; if the law rules tools out, what the country offers instead. Null
 * if nothing is known.
 */
export function wayOutOf(
  need: Pick<Need, 'slug' | 'law' | 'ways_out' | 'ways_out_in' | 'way_out' | 'way_out_confidential'>,
  { businessType, teamSize, country, trade }: StackRequest,
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

/** Lines without the advice to ask an accountant if the owner is one. */
export const unadvised = (lines: readonly string[], { trade }: Pick<StackRequest, 'trade'>): string[] =>
  trade?.match?.trade.is_adviser
    ? lines
        .map((line) => line.replace(ADVICE, '').trim())
        .filter((line) => !/\byour (?:accountant|bookkeeper|auditor)\b/.test(line) && /\p{L}/u.test(line))
    : [...lines];

const ADVICE = /(?:[:;,]? and|[:;,])? ?\b[Aa]sk your (?:accountant|auditor)\b[^.]*(?=\.)/g;

/** The number of accounts that a need requires. */
export const seatsFor = (need: Need, profile: StackRequest): number =>
  isForStaff(need, profile) ? (profile.teamSize ?? 1) : 1;

/** Whether a tool serves a country; without a country, whether it serves many. */
const serves = ({ regions, not_regions, closed_to }: ShelfTool, country: string | null): boolean =>
  country === null
    ? areWide(regions)
    : (regions === null || inRegions(country, regions)) &&
      !inRegions(country, not_regions) &&
      !inRegions(country, closed_to);

/** The reason why a tool cannot be the pick; `tied` if it was already picked for the need that this one belongs to. */
function mismatchOf(place: ShelfTool, need: Need, profile: StackRequest, tied: boolean): Mismatch | null {
  const { tool, notes, seats, max_team, requires } = place;
  if (isBarredIn(need, place, profile.country, profile.businessType)) return 'law';
  if (!serves(place, profile.country)) return 'country';
  const isPrivate = notes.own_accounts && need.way_out_confidential !== null;
  if (isPrivate && profile.trade?.match?.trade.confidential) return 'private';
  if (max_team !== undefined && (profile.teamSize ?? 1) > max_team) return 'size';
  if (typeof seats === 'number' && seats < seatsFor(need, profile)) return 'team';
  // For needs that involve taking payments, a fee per sale is normal. For other needs, the fee is a price, unless the
  // tool is already in use for another need.
  const isFair = tool.cost === null || tied || (tool.cost.on === 'sales' && need.takes_money);
  if (profile.freeOnly && !isFair) return 'cost';
  if (proofOf(tool, notes, profile.generatedOn) === 'thin') return 'proof';
  return requires.length > 0 ? 'requires' : null;
}

/**
 * The firms that serve a country. Firms of the country itself are included only if one of the other firms does not
 * serve the country.
 */
export function servingIn({ processors }: ShelfTool, country: string): readonly string[] {
  const serving = processors.filter(({ not_in }) => !not_in.includes(country));
  const isKnown = processors.every((firm) => firm.at_home || serving.includes(firm));
  return serving.filter(({ at_home }) => !at_home || !isKnown).map(({ name }) => name);
}

/** The firms that a tool names in every country. */
export const mainFirms = ({ processors }: ShelfTool): readonly string[] =>
  processors.filter(({ at_home }) => !at_home).map(({ name }) => name);

/** A tool with the payment firm that serves the country, chosen from an account such as 'PayPal or Stripe account'. */
function paidIn(place: ShelfTool, country: string | null): ShelfTool {
  if (country === null || place.notes.paid_into === null) return place;
  const serving = servingIn(place, country);
  if (serving.length === 0 || mainFirms(place).every((name) => serving.includes(name))) return place;
  return { ...place, notes: { ...place.notes, paid_into: `${serving.join(' or ')} account` } };
}

/** The tools already picked for other needs. */
type Picked = ReadonlyMap<string, ShelfTool>;

/**
 * Requirements that the picked online store can meet for other tools. It meets `open_site` only if it allows a visitor
 * counter.
 */
const OF_SHOP: ReadonlySet<Requirement> = new Set<Requirement>(['online_shop', 'open_site']);

/** A tool in its place, without the requirements that the picked shop meets. */
function withoutShop(entry: ShelfTool, picked: Picked): ShelfTool {
  const shop = picked.get('online_store');
  const isMet = (what: Requirement) => OF_SHOP.has(what) && (what !== 'open_site' || shop?.notes.open_site);
  return shop === undefined ? entry : { ...entry, requires: entry.requires.filter((what) => !isMet(what)) };
}

/** The shelf of a need for a business, given the picks for the needs that it belongs to. */
function shelfOf(need: Need, profile: StackRequest, picked: Picked): Shelf {
  const order = new Set<string>();
  const fit: ShelfTool[] = [];
  const rest: { place: ShelfTool; mismatch: Mismatch }[] = [];
  for (const entry of need.shelf) {
    const tied = 'same_as' in entry;
    const place = isFor(entry, profile)
      ? tied
        ? sameTool(need, entry, picked)
        : paidIn(withoutShop(entry, picked), profile.country)
      : null;
    if (place === null) continue;
    if (order.has(place.tool.id)) {
      // A tool may be listed first for some countries, and again further down for others.
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
  // An agency that requests a need by name can maintain a server.
  const withServer =
    fit.length === 0 && profile.businessType === 'agency' && profile.needs.includes(need.slug);
  if (!withServer) return { need, order, fit, rest };
  const able = rest.filter(({ mismatch }) => mismatch === 'requires').map(({ place }) => place);
  return { need, order, fit: able, rest: rest.filter(({ mismatch }) => mismatch !== 'requires') };
}

/** The tool that was picked for another need, if its listing covers this need; otherwise null. */
const sameTool = (need: Need, { same_as, reason }: SameAs, picked: Picked): ShelfTool | null => {
  const other = picked.get(same_as);
  return other?.tool.categories.includes(need.slug) && !other.notes.one_need_only
    ? { ...other, reason, purpose: undefined, minus: undefined, first_hour: undefined }
    : null;
};

/** Whether a need is decided after others because their picks meet requirements of its tools. */
const isLater = ({ shelf }: Need): boolean =>
  shelf.some((entry) => 'tool' in entry && entry.requires.some((what) => OF_SHOP.has(what)));

const tiesOf = (need: Need, profile: StackRequest): readonly SameAs[] =>
  need.shelf.filter((entry) => 'same_as' in entry).filter((entry) => isFor(entry, profile));

/**
 * The places from which a tool may be picked for several needs. A tool of the trade is never displaced, and a tool
 * without cost never gives way to one with a cost.
 */
const near = ({ fit }: Shelf): readonly ShelfTool[] =>
  fit
    .slice(0, fit[0]?.isOfTrade ? 1 : PLACES_BEHIND + 1)
    .filter(({ tool, notes }) => !notes.one_need_only && (tool.cost === null || fit[0]?.tool.cost !== null));

/** A tool that is close to the best for several needs is picked for all of them. The best placed tool comes first. */
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

/** Invoicing tools that also write quotes come first if both are needed. A tool of the trade is never displaced. */
const quotesFirst = (shelf: Shelf): Shelf => {
  if (shelf.fit[0]?.isOfTrade) return shelf;
  const writes = ({ tool }: ShelfTool) => (tool.categories.includes('quotes_estimates') ? 1 : 0);
  return { ...shelf, fit: shelf.fit.toSorted((a, b) => writes(b) - writes(a)) };
};

/** The shelf of each need, with the pick if a tool fits; in the order of the needs. */
export function fillShelves(
  needs: readonly Need[],
  profile: StackRequest,
): readonly { readonly shelf: Shelf; readonly place: ShelfTool | null }[] {
  const loose = needs.filter((need) => tiesOf(need, profile).length === 0 && !isLater(need));
  const hasQuotes = needs.some(({ slug }) => slug === 'quotes_estimates');
  const shelves = new Map(
    loose.map((need) => {
      const shelf = shelfOf(need, profile, new Map());
      return [need.slug, need.slug === 'invoicing' && hasQuotes ? quotesFirst(shelf) : shelf];
    }),
  );
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
