import { people, regionsText } from '../../../domain/directory-labels.ts';
import { minutesText } from '../../../domain/stack-report-summary.ts';
import { cleanLine, listed } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import { type Block, spans, type Text } from '../content.ts';
import { CHOICE_LABELS } from '../form-texts.ts';
import { amountText } from '../views/format.ts';
import { longDay, outside, upperFirst } from '../views/listing-format.ts';
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
  const { summary, unmet, worth_paying_for: paid, does_not_fit: gaps, picks } = body;
  const steps = planSteps(body).map((step) => stepOf(step, body));
  // Tools of one vendor may share a quotation.
  const quotations = unique(picks.map(({ vendor_quote }) => vendor_quote.text)).flatMap((text) => {
    const of = picks.filter(({ vendor_quote }) => cleanLine(vendor_quote.text) === text);
    const [first] = of;
    if (first === undefined) return [];
    const said = shortQuotation(first.vendor_quote, first.tool.id);
    const names = listed(unique(of.map(({ tool }) => tool.name)));
    return [{ ...said, source: [`${names}: `, ...spans(said.source)] }];
  });
  return {
    ...headOf(body, business),
    parts: [
      { highlights: highlightsOf(summary) },
      ...(summary.free_is_wrong === undefined ? [] : [paragraph(summary.free_is_wrong)]),
      paragraph(summary.sentence),
      ...(summary.trap === undefined ? [] : [blocksOf({ list: trapEntry(summary) })]),
      blocksOf({ heading: 'Your tools' }, toolTable(body)),
      blocksOf({ heading: 'What to do, in this order' }),
      { steps },
      ...(paid.length === 0
        ? []
        : [blocksOf({ heading: 'Worth paying for' }, { list: paid.map(paidEntry) })]),
      ...(unmet.length === 0
        ? []
        : [
            blocksOf(
              { heading: 'Needs without a free tool' },
              ...unmet.flatMap((one) => unmetBlocks(one, paid)),
            ),
          ]),
      ...(gaps.length === 0
        ? []
        : [
            blocksOf({ heading: 'What does not work together' }, { list: gaps.map((gap) => cleanLine(gap)) }),
          ]),
      blocksOf({ heading: 'In the vendors’ own words' }, ...quotations, {
        text: directoryText(body.directory),
      }),
    ],
  };
}

/** The beginning of a plan, as a sample: its figures, the first step, and the needs of the others. */
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
const paragraph = (text: string): SheetPart => ({ lines: [cleanLine(text)] });

/** What the tools cost now and later, and how long they take. */
function highlightsOf({ after_free, setup_minutes_estimate, accounts, subscription_total }: Body['summary']) {
  const later = listed(
    after_free.monthly.map(
      ({ currency, amount }) => `${amountText(Number(amount), currency).replace(/\.00$/, '')} a month`,
    ),
  );
  const unknown = after_free.not_checked.map(cleanLine);
  const [, before = ''] = subscription_total.split(', without ');
  return [
    {
      label: 'Subscriptions now',
      value: '$0 a month',
      note: before === '' ? '' : `Without ${cleanLine(before)}.`,
    },
    {
      label: 'If you outgrow every free plan',
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

/** One row for each tool, with every need that it meets. */
function toolTable({ picks }: Body): Block {
  const ids = unique(picks.map(({ tool }) => tool.id));
  const rows = ids.map((id) => {
    const own = picks.filter(({ tool }) => tool.id === id);
    const free = unique(own.map(({ free_until }) => free_until ?? NOT_SAID));
    const costs = unique(own.flatMap(({ cost }) => cost ?? []));
    return [
      cleanLine(own[0]?.tool.name ?? ''),
      unique(own.map(({ need_name }) => need_name)).join(', '),
      `${free.join('. ')}${costs.length === 0 ? '' : `. You pay: ${costs.join(', ')}`}`,
    ];
  });
  return { table: { isLastLong: true, head: ['Tool', 'For', 'What is free'], rows } };
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
  if (first === undefined) return { number: step, title: '', about: '', todo: [cleanLine(text)], notes: [] };
  const many = picks.length > 1;
  const note = (label: string, texts: readonly Text[]) => texts.map((said) => ({ label, text: said }));
  const sentences = (lines: readonly string[]): readonly Text[] =>
    lines.length === 0 ? [] : [unique(lines).join(' ')];
  return {
    number: step,
    title: outside(first.tool.homepage, first.tool.name),
    about: unique(picks.map(({ need_name }) => need_name)).join(', '),
    todo: [cleanLine(text), ...first_hour.map(cleanLine)],
    notes: [
      ...note('Why', sentences(picks.flatMap(({ why }) => why))),
      ...note('Before you start', sentences(picks.flatMap(({ caveats }) => caveats))),
      ...note(
        'Paid plan',
        paidPlan(first, rest.monthly_later).map((said) => spans(said).slice(1)),
      ),
      ...note('Leaving', sentences(rest.leave == null ? [] : [rest.leave])),
      ...note('Near you', picks.flatMap(homeEntries).slice(0, 1)),
      ...note(
        'Alternatives',
        sentences(
          picks.flatMap((pick) =>
            othersText(pick, many ? 1 : MOST_OTHERS).map(
              (others) => `${many ? `${cleanLine(pick.need_name)}: ` : ''}${others}.`,
            ),
          ),
        ),
      ),
    ],
  };
}
