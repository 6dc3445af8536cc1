import { BUSINESS_TYPES, people, regionsText } from '../../../domain/directory-labels.ts';
import { cleanLine, listed, minutesText } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Span, Text } from '../content.ts';
import { CHOICE_LABELS } from '../form-texts.ts';
import { blocksMarkdown } from '../markdown.ts';
import { amountText, notes } from '../views/format.ts';
import {
  entry,
  hostOf,
  listingPath,
  listingsText,
  longDay,
  monthWords,
  outside,
  shortAddress,
  upperFirst,
} from '../views/listing-format.ts';
import type { Asked } from './letter.ts';
import { BLANK, type Letterhead } from './letterhead.ts';
import { type Sheet, type SheetPart, type SheetStep, sheetBlocks } from './sheet.ts';

type Body = AnswerOf<'small_business_stack_report'>;
type Picked = Body['picks'][number];

/** How much a report says about each tool. */
type Room = {
  /** Other tools for each need. Those of the buyer's country come first. */
  readonly others: number;
  /** First steps of each tool. */
  readonly steps: number;
};

const ON_PAPER: Room = { others: 2, steps: Number.POSITIVE_INFINITY };

/** For the text of an answer, from the fullest report to the shortest. */
const ROOMS: readonly Room[] = [
  { others: 3, steps: 3 },
  { others: 2, steps: 3 },
  { others: 2, steps: 2 },
  { others: 1, steps: 2 },
  { others: 1, steps: 1 },
  { others: 0, steps: 1 },
];

/** Maximum size in bytes of a report for the default needs as Markdown, with about 50 bytes for each link. */
const MOST_BYTES = 12_288;

/** A report as text, with its general notes: the fullest that stays within MOST_BYTES, otherwise the shortest. */
export function reportView(body: Body): readonly Block[] {
  let blocks: readonly Block[] = [];
  for (const room of ROOMS) {
    blocks = [...sheetBlocks(reportSheet(body, BLANK, room)), ...reportNotes(body)];
    const markdown = blocksMarkdown(blocks, 'https://calc.example');
    if (new TextEncoder().encode(markdown).length <= MOST_BYTES) break;
  }
  return blocks;
}

/** Notes about a report as a whole. */
export const reportNotes = ({ caveats }: Body): readonly Block[] => notes('Good to know', caveats.map(entry));

/** The software plan as a document for its owner: the costs, then the tools in setup order with their tasks. */
export function reportSheet(body: Body, { business }: Pick<Letterhead, 'business'>, room = ON_PAPER): Sheet {
  const { summary, unmet, worth_paying_for: paid, does_not_fit: gaps } = body;
  const steps = planSteps(body);
  return {
    ...headOf(body, business),
    parts: [
      { highlights: highlightsOf(summary) },
      ...(summary.free_is_wrong === undefined ? [] : [paragraph(summary.free_is_wrong)]),
      paragraph(summary.sentence),
      ...(summary.first === steps[0]?.text ? [] : [paragraph(`First: ${summary.first}`)]),
      {
        blocks: [
          ...trapNotes(summary),
          ...(steps.length === 0 ? [] : [{ heading: 'What to do, in this order' }]),
        ],
      },
      { steps: stepsOf(body, room) },
      ...section(
        'Worth paying for',
        paid.map((one) => ({ text: paidEntry(one) })),
      ),
      ...section(
        'Needs without a free tool',
        unmet.flatMap((one) => unmetBlocks(one, paid)),
      ),
      ...section(
        'What does not work together',
        gaps.map((gap) => ({ text: cleanLine(gap) })),
      ),
      paragraph(directoryText(body.directory)),
    ],
  };
}

/** The beginning of a plan, as a sample: its figures, the first step, and the needs of the other steps. */
export function reportSampleSheet(body: Body): Sheet {
  const [begun] = planSteps(body);
  const [first] = stepsOf(body, ON_PAPER);
  const others = unique(
    body.picks.filter(({ tool }) => tool.id !== begun?.tool).map(({ need_name }) => need_name),
  );
  return {
    ...headOf(body, ''),
    parts: [
      { highlights: highlightsOf(body.summary) },
      ...(first === undefined ? [] : [{ steps: [{ ...first, notes: first.notes.slice(0, 3) }] }]),
      paragraph(`Then, in the same way: ${listed(others).toLowerCase()}.`),
    ],
  };
}

/** The beginning of a plan as text, with the types of business to choose from. */
export const reportSample = (body: Body): readonly Block[] => [
  { text: 'Choose the type of business closest to yours:' },
  { list: BUSINESS_TYPES.map((type) => CHOICE_LABELS[type] ?? type) },
  { text: 'An excerpt from a real report:' },
  ...sheetBlocks(reportSampleSheet(body)),
];

const headOf = (body: Body, business: string) => ({
  kind: 'report' as const,
  title: 'Software plan',
  business: cleanLine(business),
  contact: [],
  client: [],
  facts: factsOf(body),
});

function factsOf({
  trade,
  business_type,
  team_size,
  country,
  free_only,
  generated_on,
}: Body): Sheet['facts'] {
  const type = CHOICE_LABELS[business_type]?.replace(/:.*/, '') ?? business_type;
  return [
    { label: 'For', value: cleanLine(trade?.asked ?? type) },
    ...(team_size === null ? [] : [{ label: 'Team', value: people(team_size) }]),
    ...(country === null ? [] : [{ label: 'Country', value: regionsText([country]).replace(/^the /, '') }]),
    ...(free_only ? [{ label: 'Tools', value: 'Only free ones' }] : []),
    { label: 'Date', value: longDay(generated_on) },
  ];
}

const section = (heading: string, blocks: readonly Block[]): readonly SheetPart[] =>
  blocks.length === 0 ? [] : [{ blocks: [{ heading }, ...blocks] }];
const paragraph = (text: string): SheetPart => ({ lines: [withSigns(cleanLine(text))] });

/** What the tools cost now and later, and how long they take. */
function highlightsOf({ after_free, setup_minutes_estimate, accounts, subscription_total }: Body['summary']) {
  const sums = after_free.monthly.map(({ currency, amount }) => shortAmount(amount, currency));
  const isNothing = after_free.not_checked.length === 0;
  // The sentences repeat their amounts.
  const rest = (sentence: string) =>
    withSigns(upperFirst(cleanLine(sentence).replace(/^(?:(?:About|USD) .+? a month|Nothing,) /, '')));
  return [
    { label: 'Subscriptions now', value: '$0 a month', note: `${rest(subscription_total)}.` },
    {
      label: 'After the free plans',
      value: sums.length > 0 ? `${sums.join(' + ')} a month` : isNothing ? 'Nothing more' : 'Not known',
      note: rest(after_free.sentence),
    },
    {
      label: 'Time to set up',
      value: upperFirst(minutesText(setup_minutes_estimate)),
      note: accounts.length === 0 ? '' : `Accounts to open: ${listed(accounts.map(cleanLine))}.`,
    },
  ];
}

/** "$49" or "£19.50", as vendors write it. */
const shortAmount = (amount: string, currency: string): string =>
  amountText(Number(amount), currency).replace(/\.00$/, '');

/** A text with its amounts in that form. Of other currencies, it keeps the codes: "PHP 8" may be a program. */
const withSigns = (text: string): string =>
  text.replace(
    /\b(USD|GBP|EUR|CAD|AUD|NZD) (\d+(?:\.\d\d)?)(?![\d.,]*\d)/g,
    (_all, currency: string, amount: string) => shortAmount(amount, currency),
  );

/** The trap of a trade and country, with the authority that names it. */
const trapNotes = ({ trap }: Body['summary']): readonly Block[] =>
  trap === undefined
    ? []
    : [
        {
          note: [
            `Watch out: ${cleanLine(trap.text)}`,
            ...(trap.source_url === undefined
              ? []
              : [' (', outside(trap.source_url, hostOf(trap.source_url)), ')']),
          ],
        },
      ];

const paidEntry = (tool: Body['worth_paying_for'][number]): Text => [
  `${cleanLine(tool.need_name)}: `,
  outside(tool.homepage, tool.name),
  `. ${cleanLine(tool.why)} `,
  tool.id === null || tool.source_url === undefined
    ? 'Price not checked.'
    : { link: `${withSigns(cleanLine(tool.price))}.`, href: listingPath(tool.id) },
];

const unique = (lines: readonly string[]): readonly string[] => [...new Set(lines.map(cleanLine))];

/** The steps of the plan. One that only repeats the advice for a need without a tool is omitted. */
export const planSteps = ({ getting_started, unmet }: Body): Body['getting_started'] =>
  getting_started
    .filter(({ text }) => !unmet.some(({ way_out }) => way_out && text.endsWith(way_out)))
    .map((step, index) => ({ ...step, step: index + 1 }));

const NOT_SAID = 'not said by the vendor';

/** The steps of the plan: each has everything about one tool, for all needs that it meets. */
function stepsOf(body: Body, room: Room): readonly SheetStep[] {
  // The tool that first showed each price and quotation.
  const shown = new Map<string, string>();
  const before = (words: string, name: string): string | undefined => {
    const tool = shown.get(words);
    if (tool === undefined) shown.set(words, cleanLine(name));
    return tool;
  };
  return planSteps(body).map(({ step, text, tool, first_hour = [], ...rest }) => {
    const picks = body.picks.filter((pick) => pick.tool.id === tool);
    const [first] = picks;
    if (first === undefined)
      return { number: step, title: '', about: '', address: '', why: '', todo: [cleanLine(text)], notes: [] };
    const { name, homepage, id } = first.tool;
    const free = unique(picks.map(({ free_until }) => free_until ?? NOT_SAID)).join('. ');
    const costs = unique(picks.flatMap(({ cost }) => cost ?? [])).join(', ');
    const [home = ''] = picks.flatMap(homeEntries);
    const priced = first.then === null ? undefined : before(first.then, name);
    const also = first.vendor_quote.also?.filter((more) => before(more.text, name) === undefined);
    const quoted = before(first.vendor_quote.text, name);
    const notes: readonly (readonly [string, Text])[] = [
      ['Free now', `${upperFirst(free)}.${costs === '' ? '' : ` You pay ${costs}.`}`],
      [
        'Then',
        priced === undefined ? paidPlan(first, rest.monthly_later, picks) : `The same as for ${priced}.`,
      ],
      ['Know first', unique(picks.flatMap(({ caveats }) => caveats)).join(' ')],
      ['Leaving', cleanLine(rest.leave ?? '')],
      ['Near you', home],
      ['Instead', insteadOf(picks, room.others)],
    ];
    return {
      number: step,
      title: outside(homepage, name),
      about: unique(picks.map(({ need_name }) => need_name)).join(', '),
      address: addressText(homepage),
      why: unique(picks.flatMap(({ why }) => why)).join(' '),
      todo: [text, ...first_hour.slice(0, room.steps)].map(cleanLine),
      notes: notes.filter(([, said]) => said !== '').map(([label, said]) => ({ label, text: said })),
      quotation:
        quoted === undefined || also?.length
          ? quotationOf({ ...first.vendor_quote, also }, id)
          : { text: `The quotation is the same as for ${quoted}.` },
    };
  });
}

/** Other tools in one text, with the need of each if they differ. */
function insteadOf(picks: Body['picks'], most: number): string {
  const others = picks.flatMap((pick) =>
    othersText(pick, picks.length > 1 ? 1 : most).map((text) => [cleanLine(pick.need_name), text]),
  );
  const [only = '', ...more] = unique(others.map(([, text = '']) => `${text}.`));
  return more.length === 0 ? only : others.map(([need, text]) => `${need}: ${text}.`).join(' ');
}

/** Maximum number of characters in an address on paper. */
const LONGEST_ADDRESS = 60;

/** An address that a person can type; only the host of a long one. */
function addressText(address: string): string {
  const short = cleanLine(shortAddress(address));
  return short.length > LONGEST_ADDRESS ? hostOf(address) : short;
}

/** What a caveat says about a tool that has something to pay for. */
const PAID_EXTRA = /\b(?:paid|subscription|costs?)\b/i;

/** The cost of the next plan, linked to the page that states it. */
function paidPlan({ tool, then }: Picked, later: string | null | undefined, picks: readonly Picked[]): Text {
  if (then !== null) return [{ link: unended(then), href: listingPath(tool.id) }, `.${ofTeam(later, then)}`];
  if (later != null) return `${upperFirst(withSigns(later))}.`;
  return picks.some(({ caveats }) => PAID_EXTRA.test(caveats.join(' ')))
    ? 'Nothing, unless you need a paid extra.'
    : 'Nothing more.';
}

/** The vendor's words with their date and source in one line. */
function quotationOf(quote: Picked['vendor_quote'], id: string): Block {
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
      outside(source_url, addressText(source_url)),
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

/** Alternatives for a need, in one line; empty if there are none. */
function othersText(
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
    : ` For you that is ${withSigns(cleanLine(later ?? ''))}.`;
}

const homeEntries = ({ at_home = [] }: Pick<Picked, 'at_home'>): readonly Text[] =>
  at_home.map(({ id, name, regions }) => [
    `In ${regionsText(regions ?? [])}, look first at `,
    { link: cleanLine(name), href: listingPath(id) },
    '.',
  ]);

function unmetBlocks(unmet: Body['unmet'][number], paid: Body['worth_paying_for']): readonly Block[] {
  const { need, need_name, reason, way_out, also_well_known = [] } = unmet;
  const named = paid.filter((tool) => tool.need === need).map(({ name }) => cleanLine(name));
  const known = also_well_known.filter(({ name }) => !named.includes(cleanLine(name)));
  const others = [
    ...(named.length === 0 ? [] : [`Worth paying for, see above: ${named.join(', ')}.`]),
    ...homeEntries(unmet),
    ...othersText({ alternatives: [], also_well_known: known }, 2).map((text) => `Instead: ${text}.`),
  ];
  return [
    { subheading: cleanLine(need_name) },
    { text: cleanLine(way_out ?? reason) },
    ...(others.length === 0 ? [] : [{ list: others }]),
  ];
}

function directoryText({ listings, oldest_check, newest_check }: Body['directory']): string {
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
