import { people, regionsText, requirementsText } from './directory-labels.ts';
import { areWide, inRegions, regionName } from './regions.ts';
import { localCost, localWords, moneyCaveats } from './stack-report-money.ts';
import { proofOf } from './stack-report-proof.ts';
import {
  type BusinessProfile,
  type Choice,
  isFor,
  isForStaff,
  lawNotes,
  type Mismatch,
  type Shelf,
  seatsFor,
  wayOutOf,
} from './stack-report-shelf.ts';
import type { Need, ShelfTool } from './stack-report-types.ts';
import { listed } from './text.ts';
import { displayQuote } from './vendor-quotation.ts';

const ALTERNATIVES = 2;
const WELL_KNOWN = 2;
const AT_HOME = 2;
const NAMES_PER_REASON = 3;
const FEW_REGIONS = 4;

/** Fields that do not apply are left out: English text has no translation, the vendor's own no transcriber. */
function quoteOf({ tool, notes }: ShelfTool, today: string) {
  const { quote, language, quote_translation, transcribed_by, ...check } = tool.check;
  return {
    text: displayQuote(quote),
    ...(quote_translation === null ? {} : { language, translation: quote_translation.text }),
    source_url: check.source_url,
    checked_on: check.checked_on,
    method: check.method,
    ...(transcribed_by === null
      ? {}
      : { transcribed_by: { name: transcribed_by.name, read_on: transcribed_by.read_on } }),
    // For a transcription, the date is the day on which a person wrote it down.
    ...(check.source_dated !== null && transcribed_by === null && { source_dated: check.source_dated }),
    proof: proofOf(tool, notes, today),
  };
}

/** Until where the use is free for a need, or null when the vendor's words do not say. */
function freeUntil({ tool }: ShelfTool, need: string): string | null {
  const { limits_by_need, free_limits, pricing, licence } = tool;
  const limits = limits_by_need[need] ?? free_limits;
  return limits ?? (pricing === 'open_source' ? `No limit: open source (${licence})` : null);
}

/** Where a tool serves; a long list is only counted. */
const onlyIn = (regions: readonly string[]): string =>
  areWide(regions) ? 'Only in some countries.' : `Only in ${regionsText(regions)}.`;

/** What to know before signing up, the listing's own caveats first. */
function caveatsOf(place: ShelfTool, need: Need, profile: BusinessProfile): string[] {
  const { tool, regions, not_regions, requires } = place;
  const isRegional = profile.country === null && regions !== null;
  // The tool's own caveats summarize a long list.
  const isWorthSaying =
    profile.country === null && not_regions.length > 0 && not_regions.length <= FEW_REGIONS;
  return [
    ...(requires.length > 0 ? [`Needs ${requirementsText(requires, profile.businessType)} first.`] : []),
    ...localWords(tool.caveats, profile.country),
    ...(isRegional ? [onlyIn(regions)] : []),
    ...(isWorthSaying ? [`Not for ${regionsText(not_regions)}.`] : []),
    ...moneyCaveats(place, profile.country),
    ...(areSeatsUnknown(place, need, profile) ? ['How many may use it free is not said.'] : []),
    ...privateAccounts(place, need, profile),
    ...lawNotes(need, profile),
    ...(need.note === null ? [] : [need.note]),
    ...[notesOf(need, profile) ?? []].flat(),
  ];
}

/** What the trade has to know of any tool for a need; where the trade is not known, the kind of business. */
const notesOf = ({ slug, notes_for }: Need, { trade, businessType }: BusinessProfile): string | undefined =>
  trade?.match == null ? notes_for[businessType] : trade.match.trade.notes?.[slug];

const firstSentence = (text: string): string => text.split(/(?<=[.!?]) /, 1)[0] ?? text;

/** The main disadvantage of a tool, in one sentence. */
function minusOf(
  { tool, minus, requires, regions, seats }: ShelfTool,
  { country, businessType }: BusinessProfile,
): string {
  if (requires.length > 0) return `Needs ${requirementsText(requires, businessType)} first.`;
  if (minus !== null) return minus;
  if (country === null && regions !== null) return onlyIn(regions);
  if (tool.cost !== null) return `Costs ${localCost(tool.cost.text, country)}.`;
  if (tool.caveats[0] !== undefined) return firstSentence(tool.caveats[0]);
  return typeof seats === 'number' ? `Free for up to ${people(seats)}.` : 'Its limits are not said.';
}

/** Ids of the tools that stand before the pick on the shelf; all of them where there is no pick. */
function idsBefore({ order }: Shelf, pick: ShelfTool | null): ReadonlySet<string> {
  const ids = [...order];
  return pick === null ? order : new Set(ids.slice(0, ids.indexOf(pick.tool.id)));
}

/** Where no country is given: tools for some countries that stand before the pick. */
function atHome(shelf: Shelf, pick: ShelfTool | null, { country }: BusinessProfile) {
  if (country !== null) return {};
  const before = idsBefore(shelf, pick);
  const elsewhere = shelf.rest.filter(({ mismatch }) => mismatch === 'country').map(({ place }) => place);
  const at_home = elsewhere
    .filter(({ tool, regions }) => !areWide(regions) && before.has(tool.id))
    .slice(0, AT_HOME)
    .map(({ tool, regions }) => ({ id: tool.id, name: tool.name, regions: regions ?? [] }));
  return at_home.length > 0 ? { at_home } : {};
}

function alternativesOf({ shelf, place }: Choice, home: ReadonlySet<string>, profile: BusinessProfile) {
  // An agency can set up the prerequisite; for others this is not an option.
  const spare = shelf.rest
    .filter(({ mismatch }) => mismatch === 'requires' && profile.businessType === 'agency')
    .map(({ place: other }) => other);
  return [...shelf.fit, ...spare]
    .filter((other) => other.tool.id !== place.tool.id && !home.has(other.tool.id))
    .slice(0, ALTERNATIVES)
    .map((other) => ({
      id: other.tool.id,
      name: other.tool.name,
      plus: other.reason,
      minus: minusOf(other, profile),
    }));
}

/** Well-known tools that were not picked: the editor's list, otherwise better tools with too little proof. */
function wellKnownOf(shelf: Shelf, pick: ShelfTool | null, profile: BusinessProfile) {
  const { country } = profile;
  const before = idsBefore(shelf, pick);
  const thin = shelf.rest
    .filter(({ place, mismatch }) => mismatch === 'proof' && before.has(place.tool.id))
    .map(({ place: { tool } }) => ({
      name: tool.name,
      homepage: tool.homepage,
      why_not_picked: 'What is free there was not checked.',
    }));
  const known = shelf.need.also_well_known.filter(
    ({ name, regions, not_regions = [], ...conditions }) =>
      name !== pick?.tool.name &&
      isFor(conditions, profile) &&
      (country === null || (inRegions(country, regions ?? [country]) && !inRegions(country, not_regions))),
  );
  const home = known.filter(({ regions }) => regions !== undefined);
  const general = known.filter(({ regions }) => regions === undefined);
  // Without a country, a tool known in only one country is not useful.
  const first = country === null ? general : [...home, ...general];
  const named = first.map(({ name, homepage, why_not_picked }) => ({ name, homepage, why_not_picked }));
  const also_well_known = (named.length > 0 ? named : thin).slice(0, WELL_KNOWN);
  return also_well_known.length > 0 ? { also_well_known } : {};
}

export type StackPick = ReturnType<typeof pickOf>;

/** The pick of a need as the report says it. */
export function pickOf({ shelf, place }: Choice, works_with: readonly string[], profile: BusinessProfile) {
  const { need } = shelf;
  const { tool } = place;
  const home = atHome(shelf, place, profile);
  const homeIds = new Set(home.at_home?.map(({ id }) => id));
  const seats = seatsText(place, need, profile);
  return {
    need: need.slug,
    need_name: need.name,
    tool: {
      id: tool.id,
      name: tool.name,
      vendor: tool.vendor,
      homepage: tool.homepage,
      hosting: tool.hosting,
    },
    why: [place.reason, ...(seats === null ? [] : [seats])],
    free_until: freeUntil(place, need.slug),
    then: tool.then?.text ?? null,
    ...(tool.cost !== null && { cost: localCost(tool.cost.text, profile.country) }),
    vendor_quote: quoteOf(place, profile.today),
    caveats: caveatsOf(place, need, profile),
    alternatives: alternativesOf({ shelf, place }, homeIds, profile),
    ...home,
    ...(works_with.length > 0 && { works_with }),
    ...wellKnownOf(shelf, place, profile),
  };
}

const MISMATCH_WORDS: Readonly<
  Record<Mismatch, (places: readonly ShelfTool[], profile: BusinessProfile) => string>
> = {
  law: (places) => `not known to be approved: ${names(places)}`,
  country: (places, { country }) =>
    country === null
      ? listed(places.map(({ tool, regions }) => `${tool.name} is only for ${regionsText(regions ?? [])}`))
      : `not chosen for ${regionName(country)}: ${names(places)}`,
  size: (places) =>
    `by our judgement for smaller teams: ${listed(places.map(({ tool, max_team }) => `${tool.name} (up to ${people(Number(max_team))})`))}`,
  team: (places) =>
    `too few free seats: ${listed(places.map(({ tool, seats }) => `${tool.name} (${people(Number(seats))})`))}`,
  cost: (places) => `not without a price: ${names(places)}`,
  requires: (places, { businessType }) =>
    listed(
      places.map(({ tool, requires }) => `${tool.name} needs ${requirementsText(requires, businessType)}`),
    ),
  proof: (places) => `free, perhaps, but not checked: ${names(places)}`,
};

const names = (places: readonly ShelfTool[]): string => listed(places.map(({ tool }) => tool.name));

/** A need without a pick, with what to do instead. */
export const unmetOf = (shelf: Shelf, profile: BusinessProfile) => ({
  need: shelf.need.slug,
  need_name: shelf.need.name,
  reason: whyUnmet(shelf, profile),
  way_out: wayOutOf(shelf.need, profile),
  ...atHome(shelf, null, profile),
  ...wellKnownOf(shelf, null, profile),
});

/** Why no tool is picked for a need. */
function whyUnmet({ fit, rest }: Shelf, profile: BusinessProfile): string {
  if (profile.country !== null && rest.some(({ mismatch }) => mismatch === 'law'))
    return `No tool of ours is known to fit the rules of ${regionName(profile.country)} for this.`;
  if (fit.length > 0) return `${names(fit)} is free for one need only, and picked for another.`;
  const reasons = Object.entries(MISMATCH_WORDS).flatMap(([mismatch, words]) => {
    const places = rest.filter((entry) => entry.mismatch === mismatch).map(({ place }) => place);
    return places.length === 0 ? [] : [words(places.slice(0, NAMES_PER_REASON), profile)];
  });
  return reasons.length === 0
    ? 'No checked tool serves it for this kind of business.'
    : `No checked tool serves it: ${reasons.join('; ')}.`;
}

/** Above this team size, a single account for a need is not enough. */
const MOST_FOR_ONE_ACCOUNT = 10;

/** Whether the seats are enough for this business, as the vendor says; null when there is nothing to say. */
function seatsText({ seats, notes }: ShelfTool, need: Need, profile: BusinessProfile): string | null {
  const { teamSize } = profile;
  const wanted = seatsFor(need, profile);
  if (seats === null || teamSize === 1) return null;
  if (notes.own_accounts && (wanted > 1 || Number(teamSize) > Number(seats)))
    return 'Each person opens an account of their own.';
  if (seats === 'unlimited') return wanted > 1 ? 'No limit of people.' : null;
  if (teamSize === null) return isForStaff(need, profile) ? `Free for up to ${people(seats)}.` : null;
  if (seats < teamSize)
    return teamSize <= MOST_FOR_ONE_ACCOUNT
      ? `Free for ${people(seats)}; here one account is enough.`
      : `Free for ${people(seats)}: for those who look after it, not for all ${teamSize} of you.`;
  return `Free for up to ${people(seats)}, enough for your team of ${teamSize}.`;
}

/** Whether everybody needs an account and the vendor does not say how many are free. */
const areSeatsUnknown = ({ seats }: ShelfTool, need: Need, profile: BusinessProfile): boolean =>
  seats === null && profile.teamSize !== 1 && isForStaff(need, profile);

/**
 * Business types that keep documents of clients: from two people on, and a consultant alone, they are warned
 * about private accounts.
 */
const KEEPS_CLIENT_DATA: ReadonlySet<string> = new Set(['agency', 'consultant', 'nonprofit']);

/** The risk of keeping a firm's files in private accounts of its staff. */
function privateAccounts({ tool, notes }: ShelfTool, need: Need, profile: BusinessProfile): string[] {
  const most = KEEPS_CLIENT_DATA.has(profile.businessType) ? 1 : MOST_FOR_ONE_ACCOUNT;
  const isPrivate =
    isForStaff(need, profile) && notes.own_accounts && tool.categories.includes('file_storage');
  if (!isPrivate) return [];
  if (Number(profile.teamSize) > most)
    return ['People who leave keep what is in their private accounts; client data needs a paid Workspace.'];
  return profile.businessType === 'consultant'
    ? ['No contract covers client data in a private account; a paid Google Workspace has one.']
    : [];
}
