import { people, regionsText } from '../../../domain/directory-labels.ts';
import { minutesText } from '../../../domain/stack-report-summary.ts';
import { BUSINESS_TYPES } from '../../../domain/stack-report-types.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Span, Text } from '../content.ts';
import { CHOICE_LABELS } from '../form-texts.ts';
import { blocksMarkdown } from '../markdown.ts';
import type { Asked } from './letter.ts';
import { entry, hostOf, listingPath, listingsText, longDay, monthWords, outside } from './listing-format.ts';

type Body = AnswerOf<'small_business_stack_report'>;
type Picked = Body['picks'][number];
type Unmet = Body['unmet'][number];

export const NOT_SAID = 'not said by the vendor';

/** How much a report says about each tool. */
type Room = {
  /** Other tools for each need. Those of the buyer's country come first. */
  readonly others: number;
  /** First steps of each tool. */
  readonly steps: number;
};

/** From the fullest report to the shortest. */
const ROOMS: readonly Room[] = [
  { others: 3, steps: 3 },
  { others: 2, steps: 3 },
  { others: 2, steps: 2 },
  { others: 1, steps: 2 },
  { others: 1, steps: 1 },
];

/** The most bytes of Markdown in a report for the default needs, with about 50 bytes for each link. */
const MOST_BYTES = 12_288;

const bytesOf = (blocks: readonly Block[]): number =>
  new TextEncoder().encode(blocksMarkdown(blocks, 'https://calc.example')).length;

/**
 * A report as text: a summary, then a plan with one part per tool, in setup order. It is the fullest that stays within
 * MOST_BYTES, otherwise the shortest.
 */
export function reportView(body: Body): readonly Block[] {
  let blocks: readonly Block[] = [];
  for (const room of ROOMS) {
    blocks = reportBlocks(body, room);
    if (bytesOf(blocks) <= MOST_BYTES) break;
  }
  return blocks;
}

function reportBlocks(body: Body, room: Room): readonly Block[] {
  const caveats = body.caveats.map(entry);
  const { unmet, summary, worth_paying_for: paid, does_not_fit: gaps, getting_started: steps } = body;
  return [
    ...(summary.free_is_wrong === undefined ? [] : [{ text: cleanLine(summary.free_is_wrong) }]),
    { text: cleanLine(summary.sentence) },
    {
      list: [
        `First: ${cleanLine(summary.first)}`,
        `Cost now: ${cleanLine(summary.subscription_total)}.`,
        `Cost later: ${cleanLine(summary.after_free.sentence)}`,
        ...trapEntry(summary),
      ],
    },
    ...summaryBlocks(body),
    ...(paid.length === 0 ? [] : [{ heading: 'Worth paying for' }, { list: paid.map(paidEntry) }]),
    ...(steps.length === 0 ? [] : [{ heading: 'Your plan, in this order' }]),
    ...planBlocks(body, room),
    ...(gaps.length === 0
      ? []
      : [{ heading: 'What does not work together' }, { list: gaps.map((gap) => cleanLine(gap)) }]),
    ...(unmet.length === 0
      ? []
      : [{ heading: 'Needs without a tool' }, ...unmet.flatMap((one) => unmetBlocks(one, paid))]),
    { heading: 'Good to know' },
    ...(caveats.length === 0 ? [] : [{ list: caveats }]),
    { text: `${askedFor(body)} ${directoryText(body.directory)}` },
  ];
}

/** The trap of a trade and country, with the authority that names it. */
export const trapEntry = ({ trap }: Pick<Body['summary'], 'trap'>): Text[] =>
  trap === undefined
    ? []
    : [
        [
          `Watch out: ${cleanLine(trap.text)}`,
          ...(trap.source_url === undefined
            ? []
            : [' (', outside(trap.source_url, hostOf(trap.source_url)), ')']),
        ],
      ];

export const paidEntry = (tool: Body['worth_paying_for'][number]): Text => [
  `${cleanLine(tool.need_name)}: `,
  outside(tool.homepage, tool.name),
  `. ${cleanLine(tool.why)} `,
  tool.id === null || tool.source_url === undefined
    ? 'Price not checked.'
    : { link: `${cleanLine(tool.price)}.`, href: listingPath(tool.id) },
];

/** Notes about a report as a whole. */
export const reportNotes = ({ summary, caveats }: Body): readonly Block[] => [
  { subheading: 'Good to know' },
  { list: [...trapEntry(summary), ...caveats.map(entry)] },
];

/** The first step of a report in full and the names of the other needs, as a preview for a buyer. */
export function reportSample(body: Body): readonly Block[] {
  const [step] = planSteps(body);
  if (step === undefined) return [];
  const others = body.picks.filter(({ tool }) => tool.id !== step.tool).map(({ need_name }) => need_name);
  return [
    { text: 'Choose the type of business closest to yours:' },
    { list: BUSINESS_TYPES.map((type) => CHOICE_LABELS[type] ?? type) },
    { text: `An excerpt from a real report. ${askedFor(body)} ${cleanLine(body.summary.sentence)}` },
    ...stepBlocks(step, body, { others: 3, steps: 3 }, new Map()),
    { text: `Then, in the same way: ${unique(others).join(', ')}.` },
  ];
}

function askedFor({ business_type, team_size, free_only, country, generated_on }: Body): string {
  const team = team_size === null ? '' : `, for ${people(team_size)}`;
  const home = country === null ? '' : `, in ${regionsText([country])}`;
  const free = free_only ? ', free only' : '';
  return `Business type: ${cleanLine(business_type.replaceAll('_', ' '))}${team}${home}${free}. Made on ${longDay(generated_on)}.`;
}

function summaryBlocks({ summary }: Body): readonly Block[] {
  const { table, accounts, setup_minutes_estimate } = summary;
  const opened = accounts.length === 0 ? 'none' : accounts.map(cleanLine).join(', ');
  const tools = [...new Set(table.map(({ tool }) => tool))];
  return [
    {
      table: {
        isLastLong: true,
        head: ['Tool', 'For', 'What is free'],
        rows: tools.map((name) => {
          const rows = table.filter(({ tool }) => tool === name);
          const [free] = unique(rows.map(({ free_until }) => free_until ?? NOT_SAID));
          const [cost] = rows.flatMap((row) => row.cost ?? []);
          return [
            cleanLine(name),
            rows.map(({ need }) => cleanLine(need)).join(', '),
            `${free}${cost === undefined ? '' : `. Unavoidable cost: ${cleanLine(cost)}`}`,
          ];
        }),
      },
    },
    {
      text: `Accounts to open: ${opened}. Estimated setup time: ${minutesText(setup_minutes_estimate)}.`,
    },
  ];
}

type Step = Body['getting_started'][number];

export const unique = (lines: readonly string[]): readonly string[] => [...new Set(lines.map(cleanLine))];

/** The steps of the plan. One that only repeats the advice for a need without a tool is omitted. */
export const planSteps = ({ getting_started, unmet }: Body): readonly Step[] =>
  getting_started
    .filter(({ text }) => !unmet.some(({ way_out }) => way_out && text.endsWith(way_out)))
    .map((step, index) => ({ ...step, step: index + 1 }));

function planBlocks(body: Body, room: Room): readonly Block[] {
  const shown = new Map<string, string>();
  return planSteps(body).flatMap((step) => stepBlocks(step, body, room, shown));
}

/**
 * A step of the plan: everything about one tool, for all needs that it meets. `shown` has the quotations and prices of
 * the steps before, each with the name of its tool.
 */
function stepBlocks(
  { step, text, tool, first_hour = [], ...rest }: Step,
  body: Body,
  room: Room,
  shown: Map<string, string>,
): readonly Block[] {
  const picks = body.picks.filter((pick) => pick.tool.id === tool);
  const [first] = picks;
  if (first === undefined) return [{ text: `${step}. ${cleanLine(text)}` }];
  const needs = picks.map(({ need_name }) => cleanLine(need_name)).join(', ');
  const before = (words: string) => {
    const name = shown.get(words);
    if (name === undefined) shown.set(words, cleanLine(first.tool.name));
    return name;
  };
  const price = first.then === null ? undefined : before(first.then);
  const also = first.vendor_quote.also?.filter((more) => before(more.text) === undefined);
  const quoted = before(first.vendor_quote.text);
  return [
    { subheading: `${step}. ${cleanLine(first.tool.name)}: ${needs}` },
    { text: [`${cleanLine(text)} `, outside(first.tool.homepage, 'Its page'), '.'] },
    { steps: first_hour.slice(0, room.steps).map(cleanLine) },
    {
      list: [
        ...unique(picks.flatMap(({ why }) => why)),
        ...(price === undefined
          ? paidPlan(first, rest.monthly_later)
          : [`Paid plan: the same as under ${price}.`]),
        ...(rest.leave == null ? [] : [`Leaving: ${cleanLine(rest.leave)}`]),
        ...picks.flatMap(homeEntries).slice(0, 1),
        ...unique(picks.flatMap(({ caveats }) => caveats)),
        ...picks.flatMap((pick) =>
          othersEntry(pick, room.others, picks.length > 1 ? `, for ${cleanLine(pick.need_name)}` : ''),
        ),
      ],
    },
    quoted === undefined || also?.length
      ? shortQuotation({ ...first.vendor_quote, also }, first.tool.id)
      : { text: `The quotation is the same as under ${quoted}.` },
  ];
}

/** The cost of the next plan, linked to the page that states it. */
export const paidPlan = ({ tool, then }: Picked, later: string | null | undefined): Text[] =>
  then === null
    ? []
    : [['Paid plan: ', { link: unended(then), href: listingPath(tool.id) }, `.${ofTeam(later, then)}`]];

/** The vendor's words with their date and source in one line. */
export function shortQuotation(
  quote: Picked['vendor_quote'],
  id: string,
  labelOf = hostOf,
): Extract<Block, { quotation: string }> {
  const {
    text,
    language,
    translation,
    source_url,
    source_dated,
    transcribed_by,
    page_for,
    also = [],
  } = quote;
  const age = source_dated ?? transcribed_by?.read_on;
  return {
    quotation: `“${cleanLine(text)}”`,
    language: language ?? 'en',
    source: [
      outside(source_url, labelOf(source_url)),
      age === undefined ? ', not dated' : `, ${monthWords(age)}`,
      transcribed_by === undefined ? '' : `, as copied by ${cleanLine(transcribed_by.name)}`,
      page_for === undefined ? '' : `, page for ${regionsText([page_for])}`,
      translation === undefined ? '.' : `. In English: “${cleanLine(translation)}”`,
      ...also.flatMap((more) => [
        ` Also: “${cleanLine(more.text)}”`,
        ...(more.source_url === source_url ? [', same page'] : placeOf(more.source_url, source_url, id)),
        `, ${more.dated === undefined ? 'not dated' : monthWords(more.dated)}.`,
      ]),
    ],
  };
}

/** The page of further words; for a transcription, who copied them, and the listing with the address. */
function placeOf(address: string, main: string, id: string): readonly Span[] {
  const [, copier] = TRANSCRIBERS.exec(address) ?? [];
  return copier === undefined || main.includes(`/${copier}/`)
    ? [', ', outside(address, hostOf(address))]
    : [', as copied by ', { link: copier, href: listingPath(id) }];
}

const TRANSCRIBERS = /^https:\/\/(?:github|raw\.githubusercontent)\.com\/([^/]+)\//;

const othersEntry = (
  pick: Pick<Picked, 'alternatives' | 'also_well_known'>,
  most = 2,
  forNeed = '',
): readonly string[] => othersText(pick, most).map((others) => `Instead${forNeed}: ${others}.`);

/** Alternatives for a need, in one line; empty if there are none. */
export function othersText(
  { alternatives, also_well_known = [] }: Pick<Picked, 'alternatives' | 'also_well_known'>,
  most: number,
): readonly string[] {
  const named = alternatives.map(({ name, minus }) => `${cleanLine(name)} (${unended(minus)})`);
  const known = also_well_known.map(
    ({ name, why_not_picked: reason }) => `${cleanLine(name)} (${unended(reason)})`,
  );
  const home = also_well_known.filter((tool) => tool.home === true).length;
  // The tools of the country come first, then the next tool that fits and the one that owners know. The JSON has all
  // of them.
  const others = [
    ...known.slice(0, home),
    ...named.slice(0, 1),
    ...known.slice(home),
    ...named.slice(1),
  ].slice(0, most);
  return others.length === 0 ? [] : [others.join('; ')];
}

/** A sentence without its full stop. */
const unended = (text: string): string => cleanLine(text).replace(/\.$/, '');

/** The monthly cost of the next plan for a team, unless the words before already state that amount. */
function ofTeam(later: string | null | undefined, before: string): string {
  const sum = /[\d.]+/.exec(later ?? '')?.[0];
  return sum === undefined || before.includes(String(Number(sum)))
    ? ''
    : ` For you that is ${cleanLine(later ?? '')}.`;
}

const toListing = ({ id, name }: { readonly id: string; readonly name: string }): Span => ({
  link: cleanLine(name),
  href: listingPath(id),
});

export const homeEntries = ({ at_home = [] }: { readonly at_home?: Picked['at_home'] }): readonly Text[] =>
  at_home.map((other) => [`In ${regionsText(other.regions ?? [])}, look first at `, toListing(other), '.']);

export function unmetBlocks(unmet: Unmet, paid: Body['worth_paying_for']): readonly Block[] {
  const { need, need_name, reason, way_out, also_well_known = [] } = unmet;
  const named = paid.filter((tool) => tool.need === need).map(({ name }) => cleanLine(name));
  const known = also_well_known.filter(({ name }) => !named.includes(cleanLine(name)));
  const others = [
    ...(named.length === 0 ? [] : [`Worth paying for, see above: ${named.join(', ')}.`]),
    ...homeEntries(unmet),
    ...othersEntry({ alternatives: [], also_well_known: known }),
  ];
  return [
    { subheading: cleanLine(need_name) },
    { text: cleanLine(way_out ?? reason) },
    ...(others.length === 0 ? [] : [{ list: others }]),
  ];
}

export function directoryText({ listings, oldest_check, newest_check }: Body['directory']): string {
  const checked =
    oldest_check === newest_check
      ? `on ${longDay(newest_check)}`
      : `between ${longDay(oldest_check)} and ${longDay(newest_check)}`;
  return `Chosen by an editor from ${listingsText(listings)}, each checked ${checked}.`;
}

/** A note on what is free: the checkbox has no effect on a report if no tool has another cost. */
export const reportBefore = (asked: Asked): readonly string[] =>
  asked('free_only') === 'true'
    ? ['A tool that takes payments for you may still keep a share of each sale.']
    : [];
