import { cleanLine } from '../../../domain/text.ts';
import type { Block, Text } from '../content.ts';
import {
  dayWords,
  entry,
  hostingText,
  listingPath,
  listingsText,
  outside,
  PRICING,
  type Pricing,
  peopleText,
  regionText,
} from './listing-words.ts';
import { type VendorWords, vendorQuotation } from './vendor-words.ts';
import { notes } from './words.ts';

type Tool = {
  readonly id: string;
  readonly name: string;
  readonly homepage: string;
  readonly pricing: Pricing;
};
type Pick = {
  readonly need: string;
  readonly need_name: string;
  readonly tool: Tool & {
    readonly vendor: string;
    readonly hosting: readonly string[];
    readonly regions: readonly string[] | null;
    readonly licence: string | null;
  };
  readonly vendor_quote: VendorWords;
  readonly why: readonly string[];
  readonly caveats: readonly string[];
  readonly alternatives: readonly (Tool & { readonly why: string; readonly vendor_quote: VendorWords })[];
  readonly also_covers: readonly string[];
};

/** What the page shows of a report, as the API answers it. */
export type ReportBody = {
  readonly business_type: string;
  readonly team_size: number | null;
  readonly free_only: boolean;
  readonly generated_on: string;
  readonly picks: readonly Pick[];
  readonly unmet: readonly { readonly need: string; readonly reason: string }[];
  readonly getting_started: readonly string[];
  readonly caveats: readonly string[];
  readonly directory: {
    readonly listings: number;
    readonly oldest_check: string;
    readonly newest_check: string;
  };
};

/** A report for people: what to do first, then one tool a need with its reasons, the words that show it, and others. */
export function reportView(body: ReportBody): readonly Block[] {
  const { picks, unmet } = body;
  const names = new Map(picks.map(({ need, need_name }) => [need, need_name]));
  return [
    {
      figures: [
        {
          label: 'Needs met',
          value: `${picks.length} of ${picks.length + unmet.length}`,
          strong: true,
        },
        { label: 'Different tools', value: String(new Set(picks.map(({ tool }) => tool.id)).size) },
      ],
    },
    { text: askedFor(body) },
    ...(picks.length === 0
      ? []
      : [
          {
            table: {
              head: ['Need', 'Tool', 'Price'],
              rows: picks.map(({ need_name, tool }) => [cleanLine(need_name), [linked(tool)], priceOf(tool)]),
            },
          },
        ]),
    ...(body.getting_started.length === 0
      ? []
      : [{ subheading: 'Getting started' }, { steps: body.getting_started.map(entry) }]),
    ...picks.flatMap((pick) => pickBlocks(pick, names)),
    ...notes(
      'Needs without a tool',
      unmet.map(({ need, reason }) => `${needWords(need, names)}: ${cleanLine(reason)}`),
    ),
    ...notes('Good to know', body.caveats.map(entry)),
    { text: directoryText(body.directory) },
  ];
}

function askedFor({ business_type, team_size, free_only, generated_on }: ReportBody): string {
  const team = team_size === null ? '' : `, for ${peopleText(team_size)}`;
  const free = free_only ? ', only tools that never ask for money' : '';
  return `Business type: ${cleanLine(business_type.replaceAll('_', ' '))}${team}${free}. Made on ${dayWords(generated_on)}.`;
}

function pickBlocks(pick: Pick, names: ReadonlyMap<string, string>): readonly Block[] {
  const { tool, also_covers, alternatives } = pick;
  const others = also_covers.map((need) => needWords(need, names));
  return [
    { subheading: `${cleanLine(pick.need_name)}: ${cleanLine(tool.name)}` },
    { text: toolText(tool) },
    { list: pick.why.map(entry) },
    vendorQuotation(pick.vendor_quote),
    ...(others.length === 0 ? [] : [{ text: `It also covers: ${others.join(', ')}.` }]),
    ...(pick.caveats.length === 0
      ? []
      : [{ text: 'Know before you rely on it:' }, { list: pick.caveats.map(entry) }]),
    ...(alternatives.length === 0 ? [] : [{ text: 'What else would do:' }]),
    ...alternatives.flatMap((other): readonly Block[] => [
      { text: [linked(other), `, ${priceOf(other)}. ${cleanLine(other.why)}`] },
      vendorQuotation(other.vendor_quote),
    ]),
  ];
}

const linked = ({ name, homepage }: Tool) => outside(homepage, name);
const priceOf = ({ pricing }: Tool): string => PRICING[pricing].short;

function toolText(tool: Pick['tool']): Text {
  const { vendor, hosting, regions, licence } = tool;
  const facts = [
    ` by ${cleanLine(vendor)}: ${priceOf(tool)}.`,
    `Runs ${hostingText(hosting)}.`,
    ...(regions === null ? [] : [`Only for ${regionText(regions)}.`]),
    ...(licence === null ? [] : [`Licence: ${cleanLine(licence)}.`]),
  ];
  return [linked(tool), `${facts.join(' ')} `, { link: 'Its listing', href: listingPath(tool.id) }];
}

/** The name of a need for people; its slug in words when no pick names it. */
const needWords = (need: string, names: ReadonlyMap<string, string>): string =>
  cleanLine(names.get(need) ?? need.replaceAll('_', ' '));

function directoryText({ listings, oldest_check, newest_check }: ReportBody['directory']): string {
  const checked =
    oldest_check === newest_check
      ? `on ${dayWords(newest_check)}`
      : `between ${dayWords(oldest_check)} and ${dayWords(newest_check)}`;
  return `Chosen from ${listingsText(listings)}, checked ${checked}.`;
}
