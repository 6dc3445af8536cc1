import { proofOf } from '../directory/listing.ts';
import { isFor, type Need, type ShelfTool } from '../directory/needs.ts';
import { people, regionsText, requirementsText } from '../domain/directory-labels.ts';
import { areWide, inRegions, regionName } from '../domain/regions.ts';
import { listed } from '../domain/text.ts';
import { displayQuote } from '../domain/vendor-quotation.ts';
import {
  type Choice,
  isForStaff,
  type Mismatch,
  mainFirms,
  type Shelf,
  type StackRequest,
  seatsFor,
  servingIn,
  unadvised,
} from './shelf.ts';

/** Maximum number of alternatives, and of well-known tools, next to a pick. */
const MOST_BESIDE = 2;
/** The number of needs, from the first, that have that many; each further need has one of each. */
const NEEDS_IN_FULL = 3;
const AT_HOME = 2;
const NAMES_PER_REASON = 3;
const FEW_REGIONS = 4;

/** Maximum number of quotes shown after the first if the first does not prove every claim. */
const MOST_FURTHER_QUOTES = 2;

const NUMBERS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const NUMBER_WORDS = new RegExp(`\\b(?:${NUMBERS.join('|')})\\b`, 'g');

/** The figures in a sentence, as digits; a year is part of a date and does not count. */
export function figuresOf(text: string): readonly string[] {
  const digits = text
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(NUMBER_WORDS, (word) => String(NUMBERS.indexOf(word) + 2))
    .replace(/\bone hundred\b/g, '100');
  return (digits.match(/\d+(?:\.\d+)?/g) ?? [])
    .filter((figure) => !/^20[12]\d$/.test(figure))
    .map((figure) => `${Number(figure)}`);
}

/** The promises that a sentence can make, each with words of a source that prove it. */
export const PROMISES = [
  {
    promise: /\b(?:unlimited|any number|no limits?|without (?:a )?limits?)\b/i,
    source:
      /unlimited|ilimitad|any number|no limits?|no limitation|never encounter|no matter how many|any team size|anyone/i,
  },
  {
    promise:
      /\b(?:nothing to pay|(?:costs?|transfers?) nothing|no (?:\w+ )?(?:fees?|subscription)|without (?:a|any) (?:\w+ )?(?:fee|subscription)|free of charge)\b/i,
    source:
      /\bno\b[^.]*\b(?:fees?|payments?)|free|\$0|0%|costs you nothing|without (?:charge|payment of any monthly)|zero setup/i,
  },
] as const;

/** The figures and promises in `claims` that the quoted words do not contain. */
export const unproven = (claims: string, words: string): readonly string[] => {
  const known = new Set(figuresOf(words));
  return [
    ...figuresOf(claims).filter((figure) => !known.has(figure)),
    ...PROMISES.flatMap(({ promise, source }) => (source.test(words) ? [] : (promise.exec(claims) ?? []))),
  ];
};

/** The repository of a file on GitHub; other addresses unchanged. */
const fileOf = (address: string): string =>
  /^https:\/\/(?:github|raw\.githubusercontent)\.com\/[^/]+\/[^/]+/.exec(address)?.[0] ?? address;

/**
 * Other words of the vendor: those on the function for this need that are not for another country, then those that
 * prove claims that the quote does not prove, the strongest first.
 */
function furtherQuotes({ tool, notes }: ShelfTool, claims: string, need: string, country: string | null) {
  const isHere = (address: string) => [null, country].includes(countryOfPage(address));
  const chosen = notes.also_read
    .filter(({ needs, source_url }) => needs?.includes(need) && isHere(source_url))
    .slice(0, MOST_FURTHER_QUOTES);
  const { quote, quote_translation, transcribed_by, source_url: page, source_dated } = tool.check;
  const openWith = (quotes: typeof chosen): number =>
    unproven(claims, [quote, quote_translation?.text, ...quotes.map(({ words }) => words)].join(' ')).length;
  while (chosen.length < MOST_FURTHER_QUOTES) {
    const now = openWith(chosen);
    const [best] = notes.also_read
      .map((more) => ({ more, open: openWith([...chosen, more]) }))
      .filter(({ open }) => open < now)
      .toSorted((a, b) => a.open - b.open);
    if (best === undefined) break;
    chosen.push(best.more);
  }
  // Words transcribed with the quote come from the vendor's page that the transcription names.
  const isSame = (address: string) =>
    transcribed_by !== null && fileOf(address) === fileOf(transcribed_by.url);
  const dayOf = (address: string) => {
    if (isSame(address)) return transcribed_by?.read_on;
    if (address === page) return source_dated;
    return address === tool.then?.source_url ? tool.then.source_dated : null;
  };
  return chosen.map(({ words: text, source_url }) => {
    const dated = dayOf(source_url);
    return {
      text: displayQuote(text),
      source_url: isSame(source_url) ? page : source_url.replace(/(?<=\/blob\/[0-9a-f]{12})[0-9a-f]{28}/, ''),
      ...(dated != null && { dated }),
    };
  });
}

/** squareup.com/help/gb, example.co.uk */
const COUNTRY = /(?:\/(?:[a-z]{2}-)?|\.com?\.)(us|gb|uk|au|nz|ca|ie|in|za|sg)(?=[/?#]|$)/i;

/** The country that a page is for; null if its address names none. */
const countryOfPage = (address: string): string | null =>
  COUNTRY.exec(address)?.[1]?.toUpperCase().replace('UK', 'GB') ?? null;

/**
 * Fields that do not apply are omitted: English text has no translation, and the vendor's own text has no transcriber.
 */
function quoteOf(place: ShelfTool, claims: string, need: string, { generatedOn, country }: StackRequest) {
  const { tool, notes } = place;
  const { quote, language, quote_translation, transcribed_by, ...check } = tool.check;
  const page_for = countryOfPage(check.source_url);
  const also = furtherQuotes(place, claims, need, country);
  return {
    text: displayQuote(quote),
    ...(quote_translation === null ? {} : { language, translation: quote_translation.text }),
    source_url: check.source_url,
    ...(page_for !== null && page_for !== country && { page_for }),
    checked_on: check.checked_on,
    method: check.method,
    ...(transcribed_by !== null && {
      transcribed_by: { name: transcribed_by.name, read_on: transcribed_by.read_on },
    }),
    // For a transcription, the date is the day on which a person wrote it down.
    ...(check.source_dated !== null && transcribed_by === null && { source_dated: check.source_dated }),
    proof: proofOf(tool, notes, generatedOn),
    ...(also.length > 0 && { also }),
  };
}

/** The countries that a tool serves; a long list is not spelled out. */
const onlyIn = (regions: readonly string[]): string =>
  areWide(regions) ? 'Only in some countries.' : `Only in ${regionsText(regions)}.`;

/** What the owner should know before signing up: the requirements, then the listing's own caveats, then the rest. */
function caveatsOf(place: ShelfTool, need: Need, profile: StackRequest): string[] {
  const { tool, notes, regions, not_regions, requires } = place;
  const { country, businessType } = profile;
  const elsewhere = notes.local_caveats.filter((local) => !isKnownIn(local, country));
  // The tool's own caveats summarize a long list.
  const isWorthSaying = country === null && not_regions.length > 0 && not_regions.length <= FEW_REGIONS;
  const lines = [
    ...(requires.length > 0 ? [`Needs ${requirementsText(requires, businessType)} first.`] : []),
    ...tool.caveats.filter((line) => elsewhere.every(({ caveat }) => caveat !== line)),
    ...(country === null && regions !== null ? [onlyIn(regions)] : []),
    ...(isWorthSaying ? [`Not for ${regionsText(not_regions)}.`] : []),
    ...moneyCaveats(place, country),
    ...accountCaveats(place, need, profile),
    ...lawNotes(need, profile),
    ...(need.note === null ? [] : [need.note]),
    ...notesOf(need, profile),
  ];
  return unadvised(lines, profile);
}

/** The legal notes for a pick. */
const lawNotes = ({ law }: Need, { country, ...business }: StackRequest): readonly string[] =>
  country === null
    ? [law.unplaced ?? []].flat()
    : law.notes
        .filter((note) => inRegions(country, note.regions) && isFor(note, business))
        .map(({ text }) => text);

/** What a trade should know about any tool for a need; for an unknown trade, the notes for the business type. */
function notesOf({ slug, notes_for }: Need, { trade, businessType, country }: StackRequest): string[] {
  if (trade?.match == null) return [notes_for[businessType] ?? []].flat();
  const { notes, notes_in = [] } = trade.match.trade;
  const local = notes_in.filter(
    ({ need, regions }) => need === slug && country !== null && inRegions(country, regions),
  );
  return [...[notes?.[slug] ?? []].flat(), ...local.map(({ text }) => text)];
}

type Known = Need['also_well_known'][number];

/** Whether a line of the directory concerns a country; without a country, it does. */
const isKnownIn = (
  { regions, not_regions = [] }: Pick<Known, 'regions' | 'not_regions'>,
  country: string | null,
): boolean =>
  country === null || (inRegions(country, regions ?? [country]) && !inRegions(country, not_regions));

const firstSentence = (text: string): string => text.split(/(?<=[.!?]) /, 1)[0] ?? text;

/** The main disadvantage of a tool, in one sentence. */
function minusOf(place: ShelfTool, { country, businessType }: StackRequest): string {
  const { tool, minus, requires, regions, seats } = place;
  if (requires.length > 0) return `Needs ${requirementsText(requires, businessType)} first.`;
  if (minus !== undefined) return minus;
  if (country === null && regions !== null) return onlyIn(regions);
  if (tool.cost !== null) return `Costs ${localCost(place, country)}.`;
  if (tool.caveats[0] !== undefined) return firstSentence(tool.caveats[0]);
  return typeof seats === 'number' ? `Free for up to ${people(seats)}.` : 'Its limits are not stated.';
}

/** Ids of the tools before the pick on the shelf, or of all tools if there is no pick. */
function idsBefore({ order }: Shelf, pick: ShelfTool | null): ReadonlySet<string> {
  const ids = [...order];
  return pick === null ? order : new Set(ids.slice(0, ids.indexOf(pick.tool.id)));
}

/** Tools before the pick that serve only some countries, for a request without a country. */
function atHome(shelf: Shelf, pick: ShelfTool | null, { country }: StackRequest) {
  if (country !== null) return {};
  const before = idsBefore(shelf, pick);
  const elsewhere = shelf.rest.filter(({ mismatch }) => mismatch === 'country').map(({ place }) => place);
  const at_home = elsewhere
    .filter(({ tool, regions }) => !areWide(regions) && before.has(tool.id))
    .slice(0, AT_HOME)
    .map(({ tool, regions }) => ({ id: tool.id, name: tool.name, regions: regions ?? [] }));
  return at_home.length > 0 ? { at_home } : {};
}

function alternativesOf({ shelf, place }: Choice, profile: StackRequest, most: number) {
  // An agency can set up what the tool needs; other businesses usually cannot.
  const spare = shelf.rest
    .filter(({ mismatch }) => mismatch === 'requires' && profile.businessType === 'agency')
    .map(({ place: other }) => other);
  return (
    [...shelf.fit, ...spare]
      .filter((other) => other.tool.id !== place.tool.id)
      // A video editor is no alternative to a photo editor.
      .filter(({ purpose }) => !/^edit/.test(place.purpose ?? '') || purpose === place.purpose)
      // Businesses of a trade usually agree on its tool, so one alternative is enough.
      .slice(0, place.isOfTrade ? 1 : most)
      .map((other) => ({
        id: other.tool.id,
        name: other.tool.name,
        plus: other.reason,
        minus: minusOf(other, profile),
      }))
  );
}

/** Well-known tools that were not picked: the editor's list, or else better tools with too little proof. */
function wellKnownOf(shelf: Shelf, pick: ShelfTool | null, profile: StackRequest, most = MOST_BESIDE) {
  const { country } = profile;
  const before = idsBefore(shelf, pick);
  const thin = shelf.rest
    .filter(({ place, mismatch }) => mismatch === 'proof' && before.has(place.tool.id))
    .map(({ place: { tool } }) => ({
      name: tool.name,
      homepage: tool.homepage,
      why_not_picked: 'We did not check what is free there.',
    }));
  const known = shelf.need.also_well_known.filter(
    (tool) => tool.name !== pick?.tool.name && isFor(tool, profile) && isKnownIn(tool, country),
  );
  const isOfFew = (regions: readonly string[] = []) => regions.length > 0 && regions.length <= FEW_REGIONS;
  const rank = ({ regions }: Known) => (regions === undefined ? 2 : isOfFew(regions) ? 0 : 1);
  const named = known
    // Without a country, a tool known in only one country is not useful.
    .filter(({ regions }) => country !== null || regions === undefined)
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ name, homepage, why_not_picked, regions }) => ({
      name,
      homepage,
      why_not_picked,
      ...(isOfFew(regions) && { home: true }),
    }));
  const also_well_known = (named.length > 0 ? named : thin).slice(0, most);
  return also_well_known.length > 0 ? { also_well_known } : {};
}

export type StackPick = ReturnType<typeof pickOf>;

/** The pick for a need, as it appears in the report; `index` is its place among the picks. */
export function pickOf(
  { shelf, place }: Choice,
  works_with: readonly string[],
  profile: StackRequest,
  index = 0,
) {
  const most = index < NEEDS_IN_FULL ? MOST_BESIDE : 1;
  const { need } = shelf;
  const { tool } = place;
  const seats = seatsText(place, need, profile);
  const ofLicence = tool.pricing === 'open_source' ? `Open source, free to use (${tool.licence})` : null;
  const free_until = tool.limits_by_need[need.slug] ?? tool.free_limits ?? ofLicence;
  const then = tool.then?.text ?? null;
  const cost = localCost(place, profile.country);
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
    free_until,
    then,
    ...(cost !== null && { cost }),
    vendor_quote: quoteOf(place, `${free_until ?? ''}. ${cost ?? ''}. ${then ?? ''}`, need.slug, profile),
    caveats: caveatsOf(place, need, profile),
    alternatives: alternativesOf({ shelf, place }, profile, most),
    ...atHome(shelf, place, profile),
    ...(works_with.length > 0 && { works_with }),
    ...wellKnownOf(shelf, place, profile, most),
  };
}

const MISMATCH_WORDS: Readonly<
  Record<Exclude<Mismatch, 'law'>, (places: readonly ShelfTool[], profile: StackRequest) => string>
> = {
  country: (places, { country }) =>
    country === null
      ? listed(places.map(({ tool, regions }) => `${tool.name} is only for ${regionsText(regions ?? [])}`))
      : `not chosen for ${regionName(country)}: ${names(places)}`,
  private: (places) => `private accounts are not suitable for client documents: ${names(places)}`,
  size: (places) =>
    `in our judgment, for smaller teams: ${listed(places.map(({ tool, max_team }) => `${tool.name} (up to ${people(Number(max_team))})`))}`,
  team: (places) =>
    `too few free seats: ${listed(places.map(({ tool, seats }) => `${tool.name} (${people(Number(seats))})`))}`,
  cost: (places) => `not free: ${names(places)}`,
  requires: (places, { businessType }) =>
    listed(
      places.map(({ tool, requires }) => `${tool.name} needs ${requirementsText(requires, businessType)}`),
    ),
  proof: (places) => `free plan not checked: ${names(places)}`,
};

const names = (places: readonly ShelfTool[]): string => listed(places.map(({ tool }) => tool.name));

/** A need without a pick, with what the owner can do instead. */
export const unmetOf = (shelf: Shelf, profile: StackRequest) => ({
  need: shelf.need.slug,
  need_name: shelf.need.name,
  reason: whyUnmet(shelf, profile),
  way_out: shelf.need.way_out,
  ...atHome(shelf, null, profile),
  ...wellKnownOf(shelf, null, profile),
});

/** Why no tool is picked for a need. */
function whyUnmet({ fit, rest }: Shelf, profile: StackRequest): string {
  if (profile.country !== null && rest.some(({ mismatch }) => mismatch === 'law'))
    return `We know of no free tool for this that meets the rules of ${regionName(profile.country)}.`;
  if (fit.length > 0) return `${names(fit)} is free for only one need, and is already picked for another.`;
  const reasons = Object.entries(MISMATCH_WORDS).flatMap(([mismatch, words]) => {
    const places = rest.filter((entry) => entry.mismatch === mismatch).map(({ place }) => place);
    return places.length === 0 ? [] : [words(places.slice(0, NAMES_PER_REASON), profile)];
  });
  return reasons.length === 0
    ? 'No free tool that we checked suits such a business.'
    : `No free tool that we checked fits: ${reasons.join('; ')}.`;
}

/** Above this team size, one account for a need is not enough. */
const MOST_FOR_ONE_ACCOUNT = 10;

/**
 * A sentence on whether the seats are enough for this business, from the vendor's words; null if there is nothing to
 * say.
 */
function seatsText({ seats, notes }: ShelfTool, need: Need, profile: StackRequest): string | null {
  const { teamSize } = profile;
  const wanted = seatsFor(need, profile);
  if (seats === null || teamSize === 1) return null;
  if (notes.own_accounts && (wanted > 1 || Number(teamSize) > Number(seats)))
    return 'Each person opens their own account.';
  if (seats === 'unlimited') return wanted > 1 ? 'No limit on the number of people.' : null;
  if (teamSize === null) return isForStaff(need, profile) ? `Free for up to ${people(seats)}.` : null;
  if (seats < teamSize) return `Free for ${people(seats)}: only those who maintain it need an account.`;
  return `Free for up to ${people(seats)}, enough for your team of ${teamSize}.`;
}

/**
 * Business types that keep client documents. With two or more people (a consultant even alone), they are warned about
 * private accounts.
 */
const KEEPS_CLIENT_DATA: ReadonlySet<string> = new Set(['agency', 'consultant', 'nonprofit']);

/** Caveats about the accounts of the staff: their number, and files in private accounts. */
function accountCaveats({ tool, notes, seats }: ShelfTool, need: Need, profile: StackRequest): string[] {
  const { teamSize, businessType } = profile;
  if (!isForStaff(need, profile)) return [];
  const most = KEEPS_CLIENT_DATA.has(businessType) ? 1 : MOST_FOR_ONE_ACCOUNT;
  const isAtRisk = Number(teamSize) > most || businessType === 'consultant';
  const isPrivate = notes.own_accounts && tool.categories.includes('file_storage');
  return [
    ...(seats === null && teamSize !== 1 ? ['The number of users is not stated.'] : []),
    ...(isPrivate && isAtRisk
      ? ['It keeps files in private accounts, without a contract. Store confidential documents elsewhere.']
      : []),
  ];
}

/** Caveats about the firms that process a tool's payments. */
function moneyCaveats(place: ShelfTool, country: string | null): string[] {
  const names = mainFirms(place);
  if (names.length === 0) return [];
  if (country === null)
    return [`It takes payments through ${names.join(' or ')}, which may not be available in every country.`];
  const serving = servingIn(place, country);
  const missing = names.filter((name) => !serving.includes(name));
  if (missing.length === 0) return [];
  const where = regionName(country);
  const how =
    serving.length === 0
      ? `It cannot take payments in ${where}`
      : `In ${where}, payments come through ${serving.join(' or ')}`;
  // A firm may serve sellers in a country without accepting payments from buyers there.
  return [`${how}: ${listed(missing)} may not work there.`];
}

/** The text of a tool's cost with the country's own rate, if we know it; never with another country's. */
function localCost({ tool, notes }: ShelfTool, country: string | null): string | null {
  if (tool.cost === null) return null;
  const { text } = tool.cost;
  if (country === null || country === 'US') return text;
  return notes.local_costs[country] ?? text.replace(/ \(US rate: [^)]*\)/, '');
}
