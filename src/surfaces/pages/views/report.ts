import { people, regionsText } from '../../../domain/directory-labels.ts';
import { minutesText } from '../../../domain/stack-report-summary.ts';
import { BUSINESS_TYPES } from '../../../domain/stack-report-types.ts';
import { cleanLine } from '../../../domain/text.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Span, Text } from '../content.ts';
import { CHOICE_LABELS } from '../form-texts.ts';
import { entry, hostingText, listingPath, listingsText, longDay, outside } from './listing-format.ts';
import { mapPicture } from './pictures.ts';
import { vendorQuotation } from './quotation.ts';

type Body = AnswerOf<'small_business_stack_report'>;
type Picked = Body['picks'][number];
type Unmet = Body['unmet'][number];
type WellKnown = NonNullable<Picked['also_well_known']>[number];

const NOT_SAID = 'not said by the vendor';

/** A report for people: in short, what to do, then one tool a need with its reasons, words and others. */
export const reportView = (body: Body): readonly Block[] => reportBlocks(body, body.caveats.map(entry));

/** What of a report belongs on paper. */
export const reportPaper = (body: Body): readonly Block[] => reportBlocks(body, []);

function reportBlocks(body: Body, caveats: readonly string[]): readonly Block[] {
  const { picks, unmet, summary } = body;
  return [
    { text: cleanLine(summary.sentence) },
    { text: askedFor(body) },
    ...mapPicture(body),
    ...summaryBlocks(body),
    ...(body.getting_started.length === 0
      ? []
      : [
          { heading: 'What to do, in this order' },
          { steps: body.getting_started.map(({ text }) => cleanLine(text)) },
        ]),
    ...(picks.length === 0 ? [] : [{ heading: 'Need by need' }]),
    ...picks.flatMap(pickBlocks),
    ...(unmet.length === 0 ? [] : [{ heading: 'Needs without a tool' }, ...unmet.flatMap(unmetBlocks)]),
    { heading: 'How to read this' },
    { list: [...caveats, ...legendEntries(body)] },
    { text: directoryText(body.directory) },
  ];
}

/** What to know about a report as a whole. */
export const reportNotes = ({ caveats }: Body): readonly Block[] => [
  { subheading: 'Good to know' },
  { list: caveats.map(entry) },
];

/** One need of a report in full and the names of the others: what a buyer may see before buying. */
export function reportSample(body: Body): readonly Block[] {
  const [first, ...others] = body.picks;
  if (first === undefined) return [];
  return [
    { text: 'Choose the kind of business that is most like yours:' },
    { list: BUSINESS_TYPES.map((type) => CHOICE_LABELS[type] ?? type) },
    { text: `From a report as it is sold. ${askedFor(body)} ${cleanLine(body.summary.sentence)}` },
    ...pickBlocks(first),
    { subheading: 'The rest of the report' },
    {
      list: [
        'All in short: a table of needs and tools, until where each is free, what cannot be avoided, accounts to open, minutes to set up, and what to do first',
        `What to do, in ${body.getting_started.length} steps`,
        ...others.map(({ need_name }) => `${cleanLine(need_name)}: the same, for this need`),
        ...body.unmet.map(({ need_name }) => `${cleanLine(need_name)}: why no tool serves it, and a way out`),
      ],
    },
  ];
}

function askedFor({ business_type, team_size, free_only, country, generated_on }: Body): string {
  const team = team_size === null ? '' : `, for ${people(team_size)}`;
  const home = country === null ? '' : `, in ${regionsText([country])}`;
  const free = free_only ? ', free only' : '';
  return `Business type: ${cleanLine(business_type.replaceAll('_', ' '))}${team}${home}${free}. Made on ${longDay(generated_on)}.`;
}

function summaryBlocks({ summary }: Body): readonly Block[] {
  const { table, accounts, setup_minutes_estimate, subscription_total, first } = summary;
  return [
    {
      table: {
        isLastLong: true,
        head: ['Need', 'Tool', 'What is free'],
        rows: table.map(({ need, tool, free_until, cost }) => [
          cleanLine(need),
          cleanLine(tool),
          `${cleanLine(free_until ?? NOT_SAID)}${cost === undefined ? '' : `. Cannot be avoided: ${cleanLine(cost)}`}`,
        ]),
      },
    },
    {
      list: [
        `Subscriptions together: ${cleanLine(subscription_total)}.`,
        accounts.length === 0
          ? 'Accounts to open: none.'
          : `Accounts to open (${accounts.length}): ${accounts.map(cleanLine).join(', ')}.`,
        `To set all up: ${minutesText(setup_minutes_estimate)}. This is an estimate.`,
        `First: ${cleanLine(first)}`,
      ],
    },
  ];
}

function pickBlocks(pick: Picked): readonly Block[] {
  const { tool, alternatives, also_well_known = [] } = pick;
  return [
    { subheading: `${cleanLine(pick.need_name)}: ${cleanLine(tool.name)}` },
    { text: toolText(pick) },
    { list: [...pick.why.map(entry), ...factEntries(pick)] },
    vendorQuotation(pick.vendor_quote),
    ...(pick.caveats.length === 0
      ? []
      : [{ text: 'Know before you rely on it:' }, { list: pick.caveats.map(entry) }]),
    ...(alternatives.length + also_well_known.length === 0
      ? []
      : [
          { text: 'What else would do:' },
          {
            list: [
              ...alternatives.map(
                (other): Text => [
                  toListing(other),
                  `. For it: ${cleanLine(other.plus)} Against it: ${cleanLine(other.minus)}`,
                ],
              ),
              ...also_well_known.map(wellKnown),
            ],
          },
        ]),
  ];
}

function toolText({ tool }: Picked): Text {
  return [
    outside(tool.homepage, tool.name),
    ` by ${cleanLine(tool.vendor).replace(/\.$/, '')}. The free use runs ${hostingText(tool.hosting)}. `,
    { link: 'Its listing', href: listingPath(tool.id) },
  ];
}

const toListing = ({ id, name }: { readonly id: string; readonly name: string }): Span => ({
  link: cleanLine(name),
  href: listingPath(id),
});

const homeEntries = ({ at_home = [] }: { readonly at_home?: Picked['at_home'] }): readonly Text[] =>
  at_home.map((other) => [`In ${regionsText(other.regions ?? [])}, look first at `, toListing(other), '.']);

const factEntries = (pick: Picked): readonly Text[] => [
  `What is free: ${cleanLine(pick.free_until ?? NOT_SAID)}.`,
  ...(pick.then === null ? [] : [`Then: ${cleanLine(pick.then)}`]),
  ...(pick.cost === undefined ? [] : [`Cannot be avoided: ${cleanLine(pick.cost)}.`]),
  ...homeEntries(pick),
  ...(pick.works_with === undefined
    ? []
    : [`Fits together with: ${pick.works_with.map(cleanLine).join('; ')}.`]),
];

const wellKnown = ({ name, homepage, why_not_picked }: WellKnown): Text => [
  'Well known too: ',
  outside(homepage, name),
  `. ${cleanLine(why_not_picked)}`,
];

function unmetBlocks(unmet: Unmet): readonly Block[] {
  const { need_name, reason, way_out, also_well_known = [] } = unmet;
  const others = [...homeEntries(unmet), ...also_well_known.map(wellKnown)];
  return [
    { subheading: cleanLine(need_name) },
    { text: [...(way_out === null ? [] : [`What to do: ${cleanLine(way_out)} `]), cleanLine(reason)] },
    ...(others.length === 0 ? [] : [{ list: others }]),
  ];
}

const legendEntries = ({ legend }: Body): readonly string[] =>
  Object.entries(legend.proof).map(([grade, meaning]) => `Proof “${grade}”: ${cleanLine(meaning)}.`);

function directoryText({ listings, oldest_check, newest_check }: Body['directory']): string {
  const checked =
    oldest_check === newest_check
      ? `on ${longDay(newest_check)}`
      : `between ${longDay(oldest_check)} and ${longDay(newest_check)}`;
  return `Chosen by an editor from ${listingsText(listings)} whose words were read ${checked}.`;
}
