import { cleanLine } from '../../../domain/text.ts';
import type { Block, Text } from '../content.ts';
import {
  businessText,
  entry,
  HOW_CHECKED_PATH,
  hostingText,
  outside,
  PRICING,
  type Pricing,
  peopleText,
  regionText,
  shortAddress,
  upperFirst,
} from './listing-words.ts';
import { type VendorWords, vendorQuotation } from './vendor-words.ts';

/** What the page shows of one listing, as the API answers it. */
export type ListingBody = {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly homepage: string;
  readonly pricing: Pricing;
  readonly hosting: readonly string[];
  readonly free_limits: string | null;
  readonly team_size_max: number | null;
  readonly good_for: readonly string[];
  readonly regions: readonly string[] | null;
  readonly licence: string | null;
  readonly caveats: readonly string[];
  readonly check: Omit<VendorWords, 'text'> & { readonly quote: string };
};

/**
 * One listing for people: what is free, the words that show it, what to know first. The directory itself warns of
 * words that have aged, among the caveats.
 */
export function listingView(body: ListingBody): readonly Block[] {
  return [
    { table: { head: ['Fact', 'As listed'], rows: facts(body) } },
    { heading: 'In the vendor’s words', id: 'evidence' },
    vendorQuotation({ ...body.check, text: body.check.quote }),
    ...caveats(body.caveats),
    { heading: 'More', id: 'more' },
    {
      list: [
        [{ link: 'This listing as JSON', href: `/v1/tools/${encodeURIComponent(body.id)}` }],
        [{ link: 'How listings are checked', href: HOW_CHECKED_PATH }],
        [{ link: 'Report an error', href: `${HOW_CHECKED_PATH}#errors` }],
      ],
    },
  ];
}

const NOT_EVIDENCED = 'Not evidenced, which is not the same as no limit';

function facts(body: ListingBody): readonly (readonly Text[])[] {
  const { free_limits, team_size_max, regions, licence } = body;
  return [
    ['Price', PRICING[body.pricing].meaning],
    ['What is free', free_limits === null ? NOT_EVIDENCED : cleanLine(free_limits)],
    ['Largest team in the free use', team_size_max === null ? NOT_EVIDENCED : peopleText(team_size_max)],
    ['Where it works', regions === null ? 'No restriction known' : `Only in ${regionText(regions)}`],
    ['Runs', upperFirst(hostingText(body.hosting))],
    ['Licence', licence === null ? 'None listed' : cleanLine(licence)],
    ['Good for', upperFirst(businessText(body.good_for))],
    ['Vendor', cleanLine(body.vendor)],
    ['Website', [outside(body.homepage, shortAddress(body.homepage))]],
  ];
}

const caveats = (sentences: readonly string[]): readonly Block[] =>
  sentences.length === 0
    ? []
    : [{ heading: 'Know before you rely on it', id: 'caveats' }, { list: sentences.map(entry) }];
