import { people, regionsText } from '../../../domain/directory-labels.ts';
import { minutesText } from '../../../domain/stack-report-summary.ts';
import { cleanLine, listed } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { type Block, spans, type Text } from '../content.ts';
import { CHOICE_LABELS } from '../form-texts.ts';
import { amountText } from '../views/format.ts';
import { hostOf, longDay, outside, shortAddress, upperFirst } from '../views/listing-format.ts';
import {
  directoryText,
  homeEntries,
  NOT_SAID,
  othersText,
  paidEntry,
  paidPlan,
  planSteps,
  shortQuotation,
  trapEntry,
  unique,
  unmetBlocks,
} from '../views/report.ts';
import type { Letterhead } from './letterhead.ts';
import type { Sheet, SheetPart, SheetStep } from './sheet.ts';

type Body = AnswerOf<'small_business_stack_report'>;

/** A software plan as a document for its owner: what it costs, the tools, and what to do in which order. */
export function reportSheet(body: Body, { business }: Pick<Letterhead, 'business'>): Sheet {
  const { summary, unmet, worth_paying_for: paid, does_not_fit: gaps } = body;
  return {
    ...headOf(body, business),
    parts: [
      { highlights: highlightsOf(summary) },
      ...(summary.free_is_wrong === undefined ? [] : [paragraph(summary.free_is_wrong)]),
      paragraph(summary.sentence),
      blocksOf(...trapEntry(summary).map((note) => ({ note })), { heading: 'What to do, in this order' }),
      { steps: planSteps(body).map((step) => stepOf(step, body)) },
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
  const first = begun && stepOf(begun, body);
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

const headOf = ({ trade, business_type, team_size, country, generated_on }: Body, business: string) => ({
  kind: 'report' as const,
  title: 'Software plan',
  business: cleanLine(business),
  contact: [],
  client: [],
  facts: [
    {
      label: 'For',
      value: cleanLine(trade?.asked ?? CHOICE_LABELS[business_type]?.replace(/:.*/, '') ?? business_type),
    },
    ...(team_size === null ? [] : [{ label: 'Team', value: people(team_size) }]),
    ...(country === null ? [] : [{ label: 'Country', value: regionsText([country]).replace(/^the /, '') }]),
    { label: 'Date', value: longDay(generated_on) },
  ],
});

const blocksOf = (...blocks: readonly Block[]): SheetPart => ({ blocks });
const section = (heading: string, blocks: readonly Block[]): readonly SheetPart[] =>
  blocks.length === 0 ? [] : [blocksOf({ heading }, ...blocks)];
const paragraph = (text: string): SheetPart => ({ lines: [cleanLine(text)] });

/** What the tools cost now and later, and how long they take. */
function highlightsOf({ after_free, setup_minutes_estimate, accounts, subscription_total }: Body['summary']) {
  const sums = after_free.monthly.map(({ currency, amount }) =>
    amountText(Number(amount), currency).replace(/\.00$/, ''),
  );
  const later = sums.length === 0 ? '' : `${sums.join(' + ')} a month`;
  const unknown = after_free.not_checked.map(cleanLine);
  const [, before = ''] = subscription_total.split(', without ');
  return [
    {
      label: 'Subscriptions now',
      value: '$0 a month',
      note: before === '' ? '' : `Without ${cleanLine(before)}.`,
    },
    {
      label: 'After the free plans',
      value: later === '' ? (unknown.length === 0 ? 'Nothing more' : 'Not known') : later,
      note: unknown.length === 0 ? '' : `Price not checked: ${listed(unknown)}.`,
    },
    {
      label: 'Time to set up',
      value: upperFirst(minutesText(setup_minutes_estimate)),
      note: accounts.length === 0 ? '' : `Accounts to open: ${listed(accounts.map(cleanLine))}.`,
    },
  ];
}

/** Maximum number of other tools that a step names for each need. */
const MOST_OTHERS = 2;

/** A step of the plan: everything about one tool, for all needs that it meets. */
function stepOf(
  { step, text, tool, first_hour = [], ...rest }: Body['getting_started'][number],
  body: Body,
): SheetStep {
  const picks = body.picks.filter((pick) => pick.tool.id === tool);
  const [first] = picks;
  if (first === undefined)
    return { number: step, title: '', about: '', why: '', todo: [cleanLine(text)], notes: [] };
  const needs = unique(picks.map(({ need_name }) => need_name)).join(', ');
  const free = unique(picks.map(({ free_until }) => free_until ?? NOT_SAID)).join('. ');
  const costs = unique(picks.flatMap(({ cost }) => cost ?? [])).join(', ');
  const [later = rest.monthly_later == null ? 'Nothing more.' : `${upperFirst(rest.monthly_later)}.`] =
    paidPlan(first, rest.monthly_later).map((said) => spans(said).slice(1));
  const [home = ''] = picks.flatMap(homeEntries);
  const notes: readonly (readonly [string, Text])[] = [
    ['Free now', `${upperFirst(free)}.${costs === '' ? '' : ` You pay ${costs}.`}`],
    ['Then', later],
    ['Know first', unique(picks.flatMap(({ caveats }) => caveats)).join(' ')],
    ['Leaving', cleanLine(rest.leave ?? '')],
    ['Near you', home],
    ['Instead', insteadOf(picks)],
  ];
  return {
    number: step,
    title: outside(first.tool.homepage, first.tool.name),
    about: `${needs} · ${addressText(first.tool.homepage)}`,
    why: unique(picks.flatMap(({ why }) => why)).join(' '),
    todo: [cleanLine(text), ...first_hour.map(cleanLine)],
    notes: notes.filter(([, said]) => said !== '').map(([label, said]) => ({ label, text: said })),
    quotation: shortQuotation(first.vendor_quote, first.tool.id, addressText),
  };
}

/** Other tools in one text, with the need of each if they differ. */
function insteadOf(picks: Body['picks']): string {
  const others = picks.flatMap((pick) =>
    othersText(pick, picks.length > 1 ? 1 : MOST_OTHERS).map((text) => [cleanLine(pick.need_name), text]),
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
