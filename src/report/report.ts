import type { Directory } from '../directory/directory.ts';
import { isFor } from '../directory/needs.ts';
import {
  BUSINESS_WORDS,
  METHOD_WORDS,
  PROOF_WORDS,
  people,
  regionsText,
} from '../domain/directory-labels.ts';
import { areWide, inRegions, regionName } from '../domain/regions.ts';
import { listed } from '../domain/text.ts';
import type { PaidTool } from '../trades/trades.ts';
import { pickOf, type StackPick, unmetOf } from './picks.ts';
import { type Choice, fillShelves, isOnlineOnly, ofTrade, type StackRequest, wayOutOf } from './shelf.ts';
import { gapsOf, gettingStarted, summaryOf, worksWith, yearly } from './summary.ts';

/** The wire document itself, hence snake_case. The schema of its operation explains each field. */
export type StackReport = Extract<ReturnType<typeof stackReport>, { readonly ok: true }>['report'];

/**
 * One free tool per need, as the wire document: the first on the editor's shelf that fits the business. The needs of
 * the business type come first, then the requested ones, each once. Deterministic: the same request and directory give
 * the same bytes. `ok: false` if no need has a pick, because there is then nothing to sell. `needs` must be known
 * category slugs.
 */
export function stackReport(request: StackRequest, directory: Directory) {
  const { trade } = request;
  const needs = needsOf(request, directory);
  const filled = fillShelves(
    needs.map((slug) => ofTrade(directory.need(slug), request, directory)),
    request,
  );
  const choices = filled.flatMap(({ shelf, place }) => (place === null ? [] : [{ shelf, place }]));
  if (choices.length === 0) {
    const reason = `No checked listing qualifies for any of the ${needs.length} needs.`;
    return { ok: false, reason } as const;
  }
  const unmet = filled.flatMap(({ shelf, place }) =>
    place === null ? [{ ...shelf, need: { ...shelf.need, way_out: wayOutOf(shelf.need, request) } }] : [],
  );
  const paid = paidFor({ ...request, needs }, directory);
  const picks = choices.map((choice, index) => {
    const pick = withoutNames(pickOf(choice, worksWith(choice, choices), request, index), paid);
    const first = choices.findIndex(({ place }) => place.tool.id === pick.tool.id);
    return first < index ? again(pick) : pick;
  });
  const wrong = freeIsWrong(request, paid);
  const { start, trap, musts } = mustsOf(request, directory);
  const missing = unmet.map(({ need }) => need);
  const steps = gettingStarted(choices, missing, request);
  const report = {
    business_type: request.businessType,
    team_size: request.teamSize,
    free_only: request.freeOnly,
    country: request.country,
    ...(trade !== undefined && {
      trade: {
        asked: trade.asked,
        matched: trade.match?.trade.name ?? null,
        how: trade.match?.how ?? ('none' as const),
      },
    }),
    generated_on: request.generatedOn,
    summary: {
      ...(wrong !== null && { free_is_wrong: wrong }),
      ...summaryOf(choices, picks, {
        unmet: missing,
        steps,
        profile: request,
        paid,
        met: paid.met,
        start,
        isSaid: wrong !== null,
      }),
      ...(trap !== undefined && { trap }),
    },
    picks,
    unmet: unmet.map((shelf) => withoutNames(unmetOf(shelf, request), paid)),
    getting_started: steps,
    worth_paying_for: paid.tools,
    does_not_fit: [...doneBy(paid, picks), ...gapsOf(choices, directory.gaps)],
    caveats: [...tradeCaveats(request, directory), ...reportCaveats(request, choices, picks, musts)],
    legend: legendOf(picks),
    directory: {
      listings: directory.listings.length,
      oldest_check: directory.firstChecked,
      newest_check: directory.lastChecked,
    },
  };
  return { ok: true, report } as const;
}

/** A pick whose tool meets an earlier need too: its further quotes and its other needs are named there. */
function again({ works_with: _, ...pick }: StackPick): StackPick {
  const { also: __, ...vendor_quote } = pick.vendor_quote;
  return { ...pick, vendor_quote };
}

/**
 * Maximum number of a trade's own needs, in addition to the requested ones. A report covers the first ones, and not
 * everything that software could do.
 */
const MOST_NEEDS = 9;

/** The needs of the trade, of the business type and of the request, each once and in this order. */
function needsOf({ businessType, needs, teamSize, trade }: StackRequest, directory: Directory): string[] {
  const own = directory.needsOf(businessType);
  const of = trade?.match?.trade;
  const isLarge = (slug: string): boolean => Number(teamSize) >= directory.need(slug).from_team;
  // A team of unknown size has the needs of its business type, but none that only teams have.
  const isForTeams = (slug: string): boolean =>
    own.needs_for_teams.includes(slug) || (directory.need(slug).from_team > 1 && !own.needs.includes(slug));
  const fits = (slug: string): boolean =>
    isForTeams(slug) ? Number(teamSize) > 1 && isLarge(slug) : teamSize === null || isLarge(slug);
  const has = (slug: string): boolean =>
    fits(slug) && !of?.without?.includes(slug) && !(slug === 'seo_local' && isOnlineOnly(trade));
  const forTeams = own.needs_for_teams.filter(has);
  const usual = [...new Set([...Object.keys(of?.tools ?? {}), ...own.needs].filter(has))];
  const first = of === undefined ? usual : usual.slice(0, MOST_NEEDS - forTeams.length);
  return [...new Set([...first, ...forTeams, ...needs])];
}

/** A need without the well-known tools that the report already names as worth paying for. */
function withoutNames<Named extends Pick<StackPick, 'also_well_known'>>(
  { also_well_known = [], ...rest }: Named,
  { tools }: ReturnType<typeof paidFor>,
) {
  const others = also_well_known.filter(({ name }) => tools.every((tool) => tool.name !== name));
  return { ...rest, ...(others.length > 0 && { also_well_known: others }) };
}

const MOST_PAID = 5;
/** Without a country, fewer are named, because each takes a sentence on where it is sold. */
const MOST_PAID_ANYWHERE = 4;
/** Maximum number of paid tools for the most important need; each other need has one. */
const MOST_PAID_OF_FIRST = 3;
/** Maximum number of paid tools of the trade in the first lines of a report. */
const MOST_MAIN = 2;
/** Without a country, a tool that serves fewer countries than this is not named. */
const FEW_COUNTRIES = 4;

/**
 * The paid tools to name, with those of the trade first. A price appears only if words of the vendor support it.
 */
function paidFor({ paid = [], ...request }: StackRequest, directory: Directory) {
  const { country, freeOnly, needs } = request;
  const serves = ({ regions }: PaidTool) =>
    regions === undefined ||
    (country === null ? regions.length >= FEW_COUNTRIES : inRegions(country, regions));
  const trade = request.trade?.match?.trade;
  // An accountant keeps books in the program of most clients, and buys none for business owners.
  const isForOwners = ({ need, trades }: PaidTool) =>
    trade?.is_adviser === true && need === 'accounting' && !trades?.includes(trade.id);
  const fit = freeOnly
    ? []
    : paid
        .filter((tool) => serves(tool) && isFor(tool, request) && !isForOwners(tool))
        // An entry with the price of some countries comes before the one for all others.
        .filter(({ name }, index, all) => all.findIndex((other) => other.name === name) === index);
  // An office suite is made for no trade. Without a tool of the trade, the books are what is worth paying for.
  const isOfTrade = ({ need, trades }: PaidTool) =>
    trade !== undefined && need !== 'documents_office' && trades?.includes(trade.id) === true;
  // A caller who gave no country may be anywhere, so a tool of a few countries is never the one to look at first.
  // Neither is a tool for a need that the report does not have.
  const possible = fit.filter(
    ({ need, regions }) => needs.includes(need) && (country !== null || areWide(regions ?? null)),
  );
  // An owner whose trade needs a program of its own does not look at the books first.
  const books = needs.includes('trade_software') ? 'trade_software' : 'accounting';
  const first = possible.find(isOfTrade) ?? possible.find(({ need }) => need === books);
  const isMain = (tool: PaidTool) =>
    possible.includes(tool) && tool.need === first?.need && (isOfTrade(tool) || !isOfTrade(first));
  const inOrder = [...new Set([...fit.filter(isMain), ...fit])];
  const isAmongFirst = ({ need }: PaidTool, index: number) =>
    inOrder.slice(0, index).filter((other) => other.need === need).length <
    (need === first?.need ? MOST_PAID_OF_FIRST : 1);
  const named = inOrder.filter(isAmongFirst).slice(0, country === null ? MOST_PAID_ANYWHERE : MOST_PAID);
  const tools = named.map(({ id, need, name, homepage, why, regions }) => ({
    need,
    need_name: trade?.need_names?.[need] ?? directory.need(need).name,
    id: directory.find(id) === null ? null : id,
    name,
    homepage,
    why: [
      why,
      ...(country === null && regions !== undefined ? [`For ${regionsText(regions)}.`] : []),
      ...catchOf(directory.find(id)),
    ].join(' '),
    ...priceOf(id, request, directory),
  }));
  // The main tools come first.
  const main = tools.slice(0, Math.min(MOST_MAIN, named.filter(isMain).length));
  const chosen = named.find(isMain);
  /** The needs that the first paid tool meets, as far as we know. */
  const met = [...(directory.find(chosen?.id ?? '')?.categories ?? []), ...(chosen?.covers ?? [])];
  return { tools, main, met };
}

/** The first drawback of a paid tool, other than those of a free plan. */
const catchOf = (listing: ReturnType<Directory['find']>): readonly string[] =>
  (listing?.caveats ?? []).filter((caveat) => !/free (?:plan|one)|^These are/i.test(caveat)).slice(0, 1);

/** The country that a price is for, by its currency; only currencies that a single country uses. */
const PRICE_OF: Readonly<Partial<Record<string, { readonly country: string; readonly name: string }>>> = {
  USD: { country: 'US', name: 'US' },
  GBP: { country: 'GB', name: 'UK' },
};
/** The words for a list price that a vendor asks in every country. */
const EVERYWHERE = 'in US dollars';

const UNKNOWN_AGE = '(page of unknown age)';

/** The monthly cost of a paid tool for this team, if the vendor's words state it. */
function priceOf(
  id: string,
  { teamSize, country }: Pick<StackRequest, 'teamSize' | 'country'>,
  directory: Directory,
) {
  const price = directory.find(id)?.then;
  if (price == null) return { price: 'price not checked' };
  const { text, source_url, currency, per, amount } = price;
  if (price.source_dated === null)
    return /\d/.test(text)
      ? { price: text.includes(UNKNOWN_AGE) ? text : `${text} ${UNKNOWN_AGE}`, source_url }
      : { price: 'price not checked' };
  const team = teamSize ?? 1;
  const plans = directory.plansOf(id);
  const plan = plans.find(({ people, more }) => people === null || more !== null || people >= team);
  const isPerUser = per === 'user' && amount !== null;
  const home = country === null || text.includes(EVERYWHERE) ? undefined : PRICE_OF[currency ?? ''];
  // The name of the country that the price is for, if it is not the caller's.
  const whose = home === undefined || home.country === country ? null : home.name;
  const [month = ''] = /[A-Z][a-z]+ 20\d\d/.exec(text) ?? [];
  const [bracketed = ''] = /\([^()]*\)/.exec(text) ?? [];
  const said =
    whose === null ? bracketed : `(${[`${whose} price`, ...(month === '' ? [] : [month])].join(', ')})`;
  // Plans of another country are not named: the vendor may sell others in the caller's.
  const words =
    whose === null || amount === null ? text : `From ${currency} ${amount} a month${yearly(text)} ${said}`;
  if (team === 1 || !(isPerUser || plans.length > 0)) return { price: words, source_url };
  if (!isPerUser && plan === undefined)
    return { price: `${words}; for ${people(team)} price not checked`, source_url };
  const { people: most, amount: base, more } = plan ?? { people: 0, amount: '0', more: amount };
  const cents = hundredths(base) + hundredths(more ?? '0') * Math.max(0, team - (most ?? team));
  const cost = (cents / 100).toFixed(2).replace(/\.00$/, '');
  const named = plan?.plan == null || whose !== null ? '' : ` on the plan ${plan.plan}`;
  return {
    price: `${currency} ${cost} a month for ${people(team)}${named}${yearly(text)} ${said}`.trimEnd(),
    source_url,
  };
}

const hundredths = (amount: string): number => Math.round(Number(amount) * 100);

/** If free is the wrong answer for this trade and team: the reason, and what to look at first. Otherwise null. */
function freeIsWrong(
  { trade, teamSize, country, freeOnly }: StackRequest,
  { tools }: ReturnType<typeof paidFor>,
): string | null {
  const of = trade?.match?.trade;
  const wrong = of?.free_is_wrong;
  // If the trade has its own program, no general tool replaces it.
  const hasOwn = 'trade_software' in (of?.tools ?? {});
  const about = wrong?.need ?? (hasOwn ? 'trade_software' : of?.own_tools_only?.[0]);
  const first = tools.find(({ need }) => about === undefined || need === about);
  if (wrong === undefined || (teamSize ?? 1) < wrong.from_team) return null;
  // With freeOnly, paid tools are left out although we may have checked some.
  const unknown =
    country === null || freeOnly
      ? ''
      : ' We have checked none for this country: ask others in your trade which one they use.';
  return first === undefined
    ? `${wrong.text}${unknown}`
    : `${wrong.text} Look at ${first.name} first: ${first.price}.`;
}

/**
 * Names the free picks that a paid tool makes unnecessary, if it covers more than the need that it is recommended
 * for.
 */
function doneBy({ main: [tool], met }: ReturnType<typeof paidFor>, picks: readonly StackPick[]): string[] {
  const done = picks.filter((pick) => met.includes(pick.need) && pick.tool.id !== tool?.id);
  if (tool === undefined || done.every(({ need }) => need === tool.need)) return [];
  const names = done.map(({ need_name }) => need_name);
  return [
    `If you choose ${tool.name}, skip ${listed(names)} here: it covers ${names.length === 1 ? 'that' : 'them'}.`,
  ];
}

/** Caveats on how the caller's trade was matched to the table of trades. */
function tradeCaveats(profile: StackRequest, directory: Directory): string[] {
  const { trade, businessType } = profile;
  if (trade === undefined) return [];
  const { asked, match } = trade;
  const kind = BUSINESS_WORDS[businessType];
  if (match === null)
    return [`We do not know the trade “${asked}”, so this report is for ${kind} in general.`];
  const { name, business_type: usual } = match.trade;
  const needs = needsOf(profile, directory);
  const left = needsOf({ ...profile, businessType: usual, needs: [] }, directory).filter(
    (slug) => !needs.includes(slug),
  );
  const names = left.map((slug) => {
    const need = match.trade.need_names?.[slug] ?? directory.need(slug).name;
    return `${need.charAt(0).toLowerCase()}${need.slice(1)}`;
  });
  return [
    ...(match.how === 'nearest'
      ? [`“${asked}” is not in our list of trades, so we used the closest one: ${name.toLowerCase()}.`]
      : []),
    ...(usual === businessType || names.length === 0
      ? []
      : [
          `You chose ${kind}, but we list this trade under ${BUSINESS_WORDS[usual]}, which also need ${listed(names)}.`,
        ]),
  ];
}

/** The explanations of the grades and methods in this report, each once. */
function legendOf(picks: readonly StackPick[]) {
  const said = new Set<string>(picks.flatMap(({ vendor_quote: { proof, method } }) => [proof, method]));
  const shown = (words: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(words).filter(([code]) => said.has(code)));
  return { proof: shown(PROOF_WORDS), method: shown(METHOD_WORDS) };
}

/** 'Block, Inc. (Square)' and 'Block' are one vendor. */
const vendorKey = (vendor: string): string =>
  vendor.replace(/,?\s+(?:\(|Inc\b|LLC|Ltd|Limited|GmbH|Corporation|B\.V\.|S\.A\.).*$/, '');

/** The vendor that more than half of the picks depend on, if any. */
function lockIn(picks: readonly StackPick[]): string[] {
  const vendors = picks.map(({ tool }) => vendorKey(tool.vendor));
  const count = (vendor: string) => vendors.filter((other) => other === vendor).length;
  const index = vendors.findIndex((vendor) => count(vendor) > 1 && count(vendor) * 2 > picks.length);
  if (index === -1) return [];
  return [
    `Lock-in: ${count(vendors[index] ?? '')} of ${picks.length} picks come from ${picks[index]?.tool.vendor}. If this vendor changes its terms, that affects most of your tools.`,
  ];
}

/** The coverage of the picks if no country is given. */
function unplaced(choices: readonly Choice[]): string[] {
  const limited = choices.filter(
    ({ place: { regions, not_regions }, shelf: { need } }) =>
      regions !== null || not_regions.length > 0 || need.law.bars.length > 0,
  );
  const names = [...new Set(limited.map(({ place }) => place.tool.name))];
  return [
    'No country was given, so these are tools that many countries can use. State yours for better picks.',
    ...(names.length > 0 ? [`Some countries do not offer or allow ${listed(names)}.`] : []),
  ];
}

/** The country that the picks and their prices are for. */
function servedIn(country: string, choices: readonly Choice[]): string[] {
  const dollars = country === 'US' ? '' : '; those in dollars are US prices';
  return [
    `Chosen for ${regionName(country)}. Prices exclude tax unless they say otherwise${dollars}.`,
    ...(choices.some(({ place }) => place.regions === null)
      ? ['Some vendors do not list their countries.']
      : []),
  ];
}

/** What trade, law or custom demands of a business, the most important first. The trap is the first one of its trade. */
function mustsOf(profile: StackRequest, { musts }: Directory) {
  const { country, trade } = profile;
  const of = trade?.match?.trade;
  // A trade without its own entry gets the general trap.
  const id = trade !== undefined && (of === undefined || of.is_neighbor) ? 'other' : (of?.id ?? '');
  const own = musts.filter(
    ({ regions, trades, not_trades, ...must }) =>
      isFor(must, profile) &&
      (regions === undefined || (country !== null && inRegions(country, regions))) &&
      (trades?.includes(id) ?? true) &&
      !not_trades?.includes(of?.id ?? ''),
  );
  const trap = own.find(({ trades }) => trades !== undefined);
  const start = own.find(({ first }) => first);
  return {
    trap: trap && { text: trap.text, ...(trap.source_url !== undefined && { source_url: trap.source_url }) },
    start: start?.text,
    musts: own.flatMap((must) => (must === trap || must === start ? [] : [must.text])),
  };
}

/** Caveats for the report as a whole. */
function reportCaveats(
  profile: StackRequest,
  choices: readonly Choice[],
  picks: readonly StackPick[],
  musts: readonly string[],
): string[] {
  const { country, freeOnly } = profile;
  const isOld = picks.some(({ vendor_quote }) => vendor_quote.proof !== 'strong');
  return [
    ...musts,
    ...lockIn(picks),
    ...(isOld ? ['Some quotations are undated or older than 18 months: check the page first.'] : []),
    ...(country === null ? unplaced(choices) : servedIn(country, choices)),
    ...(freeOnly ? ['Free tools only. One that takes payments may still keep a share of each sale.'] : []),
    'Free plans change without notice. This is not legal, tax or security advice.',
  ];
}
