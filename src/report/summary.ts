import type { Directory } from '../directory/directory.ts';
import type { Need } from '../directory/needs.ts';
import { BUSINESS_WORDS, people, requirementsText } from '../domain/directory-labels.ts';
import { capitalised, listed, minutesText } from '../domain/text.ts';
import type { StackPick } from './picks.ts';
import { type Choice, type StackRequest, seatsFor, unadvised } from './shelf.ts';

/** Whether one tool can receive its money through another: 'PayPal or Stripe account' and Stripe. */
const isPaidInto = ({ notes }: Choice['place'], { tool }: Choice['place']): boolean =>
  notes.paid_into?.split(/ or | account/).includes(tool.name) ?? false;

/**
 * The needs that a choice depends on: those that process its payments, and those that are better set up before it.
 */
const needsBefore = ({ place, shelf }: Choice, choices: readonly Choice[]): readonly string[] => [
  ...choices.filter((other) => isPaidInto(place, other.place)).map((other) => other.shelf.need.slug),
  ...shelf.need.after,
];

/** Needs in the order of setup: first those that process payments for others, or that others depend on. */
function inOrder(choices: readonly Choice[]): readonly Choice[] {
  const waiting = new Map(choices.map((choice) => [choice.shelf.need.slug, choice]));
  const done: Choice[] = [];
  const visit = (slug: string) => {
    const choice = waiting.get(slug);
    if (choice === undefined) return;
    waiting.delete(slug);
    for (const before of needsBefore(choice, choices)) visit(before);
    done.push(choice);
  };
  for (const { shelf } of choices) visit(shelf.need.slug);
  return done;
}

/** A tool with the choices that it was picked in, at least one. */
type UsedTool = { readonly place: Choice['place']; readonly choices: Choice[] };

function usedTools(ordered: readonly Choice[]): readonly UsedTool[] {
  const tools = new Map<string, UsedTool>();
  for (const choice of ordered) {
    const { place } = choice;
    const known = tools.get(place.tool.id);
    if (known === undefined) tools.set(place.tool.id, { place, choices: [choice] });
    else known.choices.push(choice);
  }
  return [...tools.values()];
}

/** The payment account that the owner must open; null if none is needed or a pick provides it. */
const moneyAccount = (place: Choice['place'], tools: readonly UsedTool[]): string | null =>
  tools.some((other) => isPaidInto(place, other.place)) ? null : place.notes.paid_into;

/** The account that a tool is opened with; null if it needs none. */
const accountOf = ({ tool, notes }: Choice['place']): string | null => {
  if (notes.account !== null) return notes.account === 'none' ? null : notes.account;
  return tool.hosting.includes('saas') ? tool.name : null;
};

const minutesOf = (choices: readonly Choice[]): number =>
  choices.reduce((sum, { shelf }) => sum + shelf.need.setup_minutes, 0);

function stepText({ place, choices }: UsedTool, tools: readonly UsedTool[], opened: Set<string>): string {
  const account = accountOf(place);
  const { name } = place.tool;
  const purposes = choices.map((choice) => choice.place.purpose ?? choice.shelf.need.purpose);
  const what = `to ${listed(purposes)} (${minutesText(minutesOf(choices))})`;
  const paid_into = moneyAccount(place, tools);
  const before = [
    ...(place.requires.length > 0 ? [requirementsText(place.requires)] : []),
    ...(paid_into === null || opened.has(paid_into) ? [] : [`your own ${paid_into}`]),
  ];
  const { first_step } = place.notes;
  const days = first_step === null ? '' : `${first_step} `;
  const first = before.length > 0 ? `${days}First get ${listed(before)}. ` : days;
  if (paid_into !== null) opened.add(paid_into);
  if (account === null) {
    const verb = place.tool.hosting.includes('desktop') ? 'Install' : 'Open';
    return `${first}${verb} ${name} ${what}.`;
  }
  const isOpen = opened.has(account);
  opened.add(account);
  if (isOpen) return `${first}With your ${account}, set up ${name} ${what}.`;
  return account === name
    ? `${first}Sign up with ${name} ${what}.`
    : `${first}Open a ${account} and set up ${name} ${what}.`;
}

/**
 * Numbered steps, one for each tool with its needs; tools that others depend on come first. Advice for a need without a
 * tool follows the tools that can be set up before it.
 */
export function gettingStarted(choices: readonly Choice[], unmet: readonly Need[], profile: StackRequest) {
  const opened = new Set<string>();
  const late = new Set(unmet.map(({ slug }) => slug));
  const [ready, waiting]: [Choice[], Choice[]] = [[], []];
  for (const choice of inOrder(choices)) {
    const isLate = needsBefore(choice, choices).some((need) => late.has(need));
    if (isLate) late.add(choice.shelf.need.slug);
    (isLate ? waiting : ready).push(choice);
  }
  const tools = usedTools([...ready, ...waiting]);
  const first = usedTools(ready).length;
  const steps = tools.map((used) => ({
    text: stepText(used, tools, opened),
    needs: used.choices.map(({ shelf }) => shelf.need.slug),
    tool: used.place.tool.id,
    first_hour: unadvised(firstHour(used), profile),
    monthly_later: laterText(used, profile),
    leave: used.place.tool.leave,
  }));
  // What to do if other picks depend on a need without a pick, as a checkout depends on a shop.
  const awaited = new Set(choices.flatMap(({ shelf }) => shelf.need.after));
  const waysOut = unmet.flatMap(({ slug, name, way_out }) =>
    awaited.has(slug) && way_out !== null
      ? [{ text: `${name}: no tool was picked. ${way_out}`, needs: [] }]
      : [],
  );
  const last = {
    text: 'Once everything works, export your data from each tool and keep a copy outside it.',
    needs: [],
  };
  return [...steps.slice(0, first), ...waysOut, ...steps.slice(first), last].map((step, index) => ({
    step: index + 1,
    ...step,
  }));
}

/** Steps for the first hour: those of the tool itself, or some from each of its needs. */
function firstHour({ choices }: UsedTool): readonly string[] {
  const most = Math.max(1, 4 - choices.length);
  const steps = choices.map(({ place, shelf }) => place.first_hour ?? shelf.need.first_hour);
  return [...new Set(steps.flatMap((some) => some.slice(0, most)))];
}

/** The number of people to pay for once a tool charges per person: those who had one of its free seats. */
function paidSeats(need: Need, { seats, notes }: Choice['place'], profile: StackRequest): number {
  const team = profile.teamSize ?? 1;
  if (need.paid_seats === undefined) return seatsFor(need, profile);
  return typeof seats === 'number' && !notes.own_accounts ? Math.min(team, seats) : team;
}

/** The largest team for which the sum of list prices says something. */
const MOST_FOR_LIST_PRICES = 15;

/** The monthly cost of a tool's next plan for this team, in hundredths; null if no price is known. */
function laterCost({ place, choices }: UsedTool, profile: StackRequest) {
  const { then } = place.tool;
  if (then?.amount == null || then.currency === null) return null;
  // List prices of free tools are for small teams; large ones get a quote.
  if ((profile.teamSize ?? 1) > MOST_FOR_LIST_PRICES) return null;
  if ((profile.teamSize ?? 1) > (then.people ?? Number.POSITIVE_INFINITY)) return null;
  const units =
    then.per === 'user'
      ? Math.max(...choices.map(({ shelf }) => paidSeats(shelf.need, place, profile)))
      : (then.times ?? 1);
  const cents = Math.round((Number(then.amount) * 100 * units) / (then.period === 'year' ? 12 : 1));
  const plan = [place.tool.vendor, then.plan, then.currency, then.amount, then.period].join(' ');
  return { currency: then.currency, cents, plan };
}

/** ', paid by the year' if the price in a text is for a yearly payment; in '$12 a month, $10 by the year' it is not. */
export const yearly = (text: string): string =>
  /, (?:when paid |paid |billed )?by the year/.test(text) ? ', paid by the year' : '';

/** Whether the tool has a free plan next to paid ones, which means that only part of it is free. */
const hasPaidPlan = ({ tool }: Choice['place']): boolean => tool.then !== null || tool.pricing === 'freemium';

const decimal = (cents: number): string => (cents / 100).toFixed(2);

function laterText(used: UsedTool, profile: StackRequest): string | null {
  if (!hasPaidPlan(used.place)) return null;
  const cost = laterCost(used, profile);
  return cost === null ? 'price not checked' : `${cost.currency} ${decimal(cost.cents)} a month`;
}

/**
 * The price of the paid tool, and the monthly cost of the tools that it does not replace once every free plan is
 * outgrown; a plan that covers several tools counts once.
 */
function afterFree(tools: readonly UsedTool[], { profile, paid: { main: paidTools }, met }: SummaryFacts) {
  const [main] = paidTools;
  const isReplaced = ({ shelf: { need } }: Choice) =>
    main !== undefined && (need.slug === main.need || met.includes(need.slug));
  const paid = tools
    .filter(({ place, choices }) => hasPaidPlan(place) && !choices.every(isReplaced))
    .map((used) => ({ tool: used.place.tool, later: laterCost(used, profile) }));
  const priced = paid.flatMap(({ tool, later }) => (later === null ? [] : [{ tool, later }]));
  // If tools share a plan and a price, the one used by most of the team counts.
  const plans = new Map<string, (typeof priced)[number]['later']>();
  for (const { later } of priced)
    if (later.cents > (plans.get(later.plan)?.cents ?? -1)) plans.set(later.plan, later);
  const sums = new Map<string, number>();
  for (const { currency, cents } of plans.values()) sums.set(currency, (sums.get(currency) ?? 0) + cents);
  const monthly = [...sums].map(([currency, cents]) => ({ currency, amount: decimal(cents) }));
  const not_checked = paid.filter(({ later }) => later === null).map(({ tool }) => tool.name);
  const team = profile.teamSize === null ? 'one person' : people(profile.teamSize);
  const sum =
    monthly.length === 0
      ? `We did not check the price of ${listed(not_checked)} for ${team}`
      : `About ${monthly.map(({ currency, amount }) => `${currency} ${amount}`).join(' plus ')} a month for ${team} once you outgrow every free plan`;
  const rest =
    monthly.length > 0 && not_checked.length > 0
      ? ` Not included, because we did not check the price for ${team}: ${listed(not_checked)}.`
      : '';
  const byYear = priced.filter(
    ({ tool: { then } }) => then?.period === 'year' || yearly(then?.text ?? '') !== '',
  );
  const terms =
    byYear.length > 0
      ? ` Billed yearly, shown here per month: ${listed(byYear.map(({ tool }) => tool.name))}.`
      : '';
  const asked = profile.freeOnly ? 'Nothing as long as you stay within the free plans. ' : '';
  const all =
    paid.length === 0
      ? 'Nothing, because none of the picks has a paid plan that you could grow into.'
      : `${asked}${sum}.${terms}${rest}`;
  return {
    sentence:
      main === undefined
        ? all
        : `${main.name}: ${priceIn(main, profile)}. Other tools: ${all.charAt(0).toLowerCase()}${all.slice(1)}`,
    monthly,
    not_checked,
  };
}

/** Picks that do not work together: two needs whose picks come from different vendors. */
export const gapsOf = (choices: readonly Choice[], gaps: Directory['gaps']): string[] =>
  gaps.flatMap(({ needs, text }) => {
    const [a, b] = needs.map((slug) => choices.find(({ shelf }) => shelf.need.slug === slug)?.place.tool);
    if (a === undefined || b === undefined || a.vendor === b.vendor) return [];
    return [text.replaceAll('{a}', a.name).replaceAll('{b}', b.name)];
  });

/** Other picks that share the tool, the account or the vendor. */
export function worksWith(choice: Choice, choices: readonly Choice[]): string[] {
  const { place, shelf } = choice;
  const account = accountOf(place);
  return choices.flatMap((other) => {
    if (other.shelf.need.slug === shelf.need.slug) return [];
    const need = other.shelf.need.name;
    if (other.place.tool.id === place.tool.id) return [`${need}: the same tool`];
    if (account !== null && accountOf(other.place) === account) return [`${need}: the same ${account}`];
    return other.place.tool.vendor === place.tool.vendor
      ? [`${need}: ${other.place.tool.name}, from the same vendor`]
      : [];
  });
}

type Paid = {
  readonly need: string;
  readonly need_name: string;
  readonly name: string;
  readonly price: string;
};

type SummaryFacts = {
  readonly unmet: readonly Need[];
  readonly steps: readonly {
    readonly text: string;
    readonly needs: readonly string[];
    readonly tool?: string;
  }[];
  readonly profile: StackRequest;
  /** The paid tools of the report; `main` are those of the trade that an owner looks at first. */
  readonly paid: { readonly tools: readonly Paid[]; readonly main: readonly Paid[] };
  /** The needs that the first paid tool meets. */
  readonly met: readonly string[];
  /** What an owner in this country does before any step with a tool. */
  readonly start: string | undefined;
  /** Whether the report has already named the paid tool to look at first. */
  readonly isSaid: boolean;
};

/**
 * The monthly or yearly price in a text: 'USD 139 a month', 'US price: USD 139 a month'. Null if there is none, or if
 * the price for this team was not checked.
 */
function monthlyIn(price: string, { country }: StackRequest): string | null {
  const [sum] = /(?:from )?(?:[A-Z]{3} |A?[$£€₹])[\d.,]+ a (?:month|year)/i.exec(price) ?? [];
  if (sum === undefined || price.includes('not checked')) return null;
  const whose = country !== 'US' && /\bUS price\b/.test(price) ? 'US price: ' : '';
  return `${whose}${sum.replace('From', 'from')}${yearly(price)}`;
}

/** 'if you pay for one tool, choose Jobber (USD 139 a month) or Kickserv. Until then, ' */
function payFor(main: readonly Paid[], profile: StackRequest): string {
  if (main.length === 0) return '';
  const names = main.map(({ name, price }) => {
    const monthly = monthlyIn(price, profile);
    return monthly === null ? name : `${name} (${monthly})`;
  });
  return `if you pay for one tool, choose ${listed(names, 'or')}. Until then, `;
}

/** 'USD 139 a month', 'USD 49 a month; for 6 people price not checked', '$0.20 for each item listed' */
function priceIn({ price }: Paid, profile: StackRequest): string {
  const [listPrice = '', team] = price.split(/; (?=for \d+ people price not checked$)/);
  const cost = monthlyIn(listPrice, profile) ?? listPrice.replace(/;.*/, '');
  if (team !== undefined) return `${cost}; ${team}`;
  return price.includes('not checked') ? 'price not checked' : cost;
}

/**
 * The paid tool of the trade and what to try with it, if no free tool meets its need. It is the first step, because
 * other steps depend on it. If we know no program for the work of the trade, the step says what to look for.
 */
function chooseFirst([tool]: readonly Paid[], unmet: SummaryFacts['unmet']): string[] {
  const own = unmet.find(({ slug }) => slug === 'trade_software');
  if (own?.way_out != null && tool?.need !== own.slug) return [own.way_out];
  const missing = unmet.find(({ slug }) => slug === tool?.need);
  if (tool === undefined || missing === undefined) return [];
  const need = `${tool.need_name.charAt(0).toLowerCase()}${tool.need_name.slice(1)}`;
  return [
    `Start with ${tool.name} for ${need}: we picked no free tool for this, and your other choices depend on it. ${missing.first_hour[0]}`,
  ];
}

/** Maximum number of needs without a tool that the sentence names. */
const MOST_NAMED = 4;

/** A summary of the report. */
export function summaryOf(choices: readonly Choice[], picks: readonly StackPick[], facts: SummaryFacts) {
  const { unmet, steps, profile, paid, met, start, isSaid } = facts;
  const tools = usedTools(inOrder(choices));
  const needed = tools.filter(({ place }) => place.requires.length > 0);
  const accounts = [
    ...new Set(
      tools.flatMap(({ place }) => [accountOf(place) ?? [], moneyAccount(place, tools) ?? []].flat()),
    ),
  ];
  const count = tools.length === 1 ? '1 free tool meets' : `${tools.length} free tools meet`;
  const named = unmet.slice(0, MOST_NAMED).map(({ slug, name }) => {
    const tool = paid.tools.find(({ need }) => need === slug);
    return tool === undefined || paid.main.includes(tool) ? name : `${name} (worth paying for: ${tool.name})`;
  });
  const rest = unmet.length > MOST_NAMED ? [`${unmet.length - MOST_NAMED} more`] : [];
  const missing =
    unmet.length === 0 ? '' : ` No free pick for ${listed([...named, ...rest], 'or')}: see below.`;
  const isUnknown = profile.trade !== undefined && profile.trade.match === null;
  const look = chooseFirst(paid.main, unmet);
  // An owner who starts with the paid tool sets up no free tool that it replaces.
  const isNext = ({ needs }: (typeof steps)[number]) =>
    look.length === 0 || needs.some((need) => !met.includes(need));
  // A step that is left out opens no account for the next one.
  const next = steps
    .filter(isNext)
    .slice(0, 1)
    .map(({ text, tool }) => {
      const used = tools.find(({ place }) => place.tool.id === tool);
      return used === undefined ? text : stepText(used, tools, new Set());
    });
  const [main] = paid.main;
  // '; Jobber is extra (USD 139 a month)'
  const extra = main === undefined ? '' : `; ${main.name} is extra (${priceIn(main, profile)})`;
  const business =
    profile.trade === undefined
      ? `For ${BUSINESS_WORDS[profile.businessType]}`
      : capitalised(profile.trade.asked);
  const isNeighbor = profile.trade?.match?.trade.is_neighbor === true;
  const general = isUnknown
    ? ' We do not know this trade, so no tool is specific to it.'
    : isNeighbor
      ? ' We do not know the programs made for this trade: ask others in it which they use.'
      : '';
  return {
    sentence: `${business}: ${isSaid ? '' : payFor(paid.main, profile)}${count} ${choices.length} of ${choices.length + unmet.length} needs without a subscription.${missing}${general}`,
    table: picks.map(({ need_name, tool, free_until, cost }) => ({
      need: need_name,
      tool: tool.name,
      free_until,
      ...(cost !== undefined && { cost }),
    })),
    subscription_total: `USD 0 a month with the free tools${
      needed.length === 0
        ? ''
        : `, not counting what you need first: ${listed(needed.map(({ place }) => `${requirementsText(place.requires)} for ${place.tool.name}`))}`
    }${extra}`,
    accounts,
    setup_minutes_estimate: minutesOf(choices),
    first: [...(start === undefined ? [] : [start]), ...look, ...next].join(' Then: '),
    after_free: afterFree(tools, facts),
  };
}
