import { METHOD_WORDS, people, regionsText, requirementsText } from '../../../domain/directory-labels.ts';
import { cleanLine } from '../../../domain/text.ts';
import { displayQuote } from '../../../domain/vendor-quotation.ts';
import type { AnswerOf } from '../../../operations/answers.ts';
import type { Block, Span, Text } from '../content.ts';
import {
  ageWords,
  businessText,
  entry,
  HOW_CHECKED_PATH,
  hostingText,
  hostOf,
  languageName,
  longDay,
  outside,
  PRICING,
  shortAddress,
  upperFirst,
} from './listing-format.ts';

type Body = AnswerOf<'tool'>;

/** One listing for people: the free part, the words that prove it, and what to know first. */
export function listingView(body: Body): readonly Block[] {
  return [
    { table: { head: ['', ''], rows: facts(body) } },
    ...evidence(body),
    ...caveats(body.caveats),
    { heading: 'More', id: 'more' },
    {
      list: [
        [{ link: 'This listing as JSON', href: `/v1/tools/${encodeURIComponent(body.id)}` }],
        [{ link: 'How tools are checked', href: HOW_CHECKED_PATH }],
        [{ link: 'Report an error', href: `${HOW_CHECKED_PATH}#errors` }],
      ],
    },
  ];
}

/** The vendor's words, with their age, the strength of the proof and their source; empty if the page could not be read. */
function evidence({ check, proof }: Body): readonly Block[] {
  if (check === null || proof === null) return [];
  const { quote, language, quote_translation: ours, transcribed_by: copy, checked_on, method } = check;
  const place = outside(check.source_url, hostOf(check.source_url));
  const where: readonly Span[] =
    copy === null
      ? [`Read on ${longDay(checked_on)} at `, place, `, ${METHOD_WORDS[method]}`]
      : [
          ...['From ', place, ', as ', outside(copy.url, copy.name)],
          ` copied it on ${longDay(copy.read_on)}; we read that copy on ${longDay(checked_on)}`,
        ];
  const foreign =
    ours === null
      ? ''
      : ` The quotation is in ${languageName(language)}. Our translation: “${cleanLine(ours.text)}”`;
  return [
    { heading: 'In the vendor’s own words', id: 'evidence' },
    {
      // The quotation marks prevent Markdown from reading the quote as a list or a heading.
      quotation: `“${cleanLine(displayQuote(quote))}”`,
      language: ours === null ? 'en' : language,
      source: [`${ageWords(check)}; proof: ${proof}. `, ...where, `.${foreign}`],
    },
  ];
}

const NOT_SAID = 'The vendor does not say, so there may be a limit';

/** The known facts of a listing, one per line. All listings use the same lines in the same order, and may omit some. */
export function facts(body: Body): readonly (readonly Text[])[] {
  const { pricing, free_limits, regions, requires, licence, then, cost, leave } = body;
  const isFree = pricing !== 'paid' && pricing !== 'not_checked';
  return [
    ['Price', PRICING[pricing].meaning],
    ...(isFree ? [['What is free', free_limits === null ? NOT_SAID : cleanLine(free_limits)]] : []),
    ...(then === null ? [] : [[isFree ? 'After that' : 'What it costs', price(then)]]),
    ...(cost === null ? [] : [['You always pay', cleanLine(cost.text)]]),
    ...(isFree ? [['People on the free plan', seats(body)]] : []),
    [
      'Where it works',
      regions === null ? 'In every country, as far as we know' : `Only in ${regionsText(regions)}`,
    ],
    ...(body.hosting.length === 0
      ? []
      : [[isFree ? 'Runs free' : 'Runs', upperFirst(hostingText(body.hosting))]]),
    ...(requires.length === 0 ? [] : [['What you need first', upperFirst(requirementsText(requires))]]),
    ...(licence === null ? [] : [['License', cleanLine(licence)]]),
    ['Good for', upperFirst(businessText(body.good_for))],
    ...(leave === null ? [] : [['How to leave', cleanLine(leave)]]),
    ['Vendor', cleanLine(body.vendor)],
    ['Website', [outside(body.homepage, shortAddress(body.homepage))]],
    ['Last changed here', longDay(body.changed_on)],
  ];
}

/** A price with its source and with its date if the vendor's text has one. */
const price = ({ text, source_url, source_dated }: NonNullable<Body['then']>): Text => [
  `${cleanLine(text)} (`,
  outside(source_url, 'source'),
  `${source_dated === null ? ', not dated' : `, ${longDay(source_dated)}`})`,
];

function seats({ team_size_max, seats_unlimited }: Body): string {
  if (seats_unlimited) return 'No limit';
  return team_size_max === null ? NOT_SAID : `Up to ${people(team_size_max)}`;
}

const caveats = (sentences: readonly string[]): readonly Block[] =>
  sentences.length === 0
    ? []
    : [{ heading: 'Before you sign up', id: 'caveats' }, { list: sentences.map(entry) }];
