import { METHOD_WORDS, PROOF_WORDS } from '../../domain/directory-labels.ts';
import { SITE_NAME, type Site } from '../site.ts';
import type { Block, Page } from './content.ts';
import { contact } from './legal.ts';
import { HOW_CHECKED_PATH, PRICING, upperFirst } from './views/listing-format.ts';

/** How a tool comes to be listed, what a check is and is not, and how to report an error. */
export const howCheckedPage = (site: Site): Page => ({
  path: HOW_CHECKED_PATH,
  title: 'How listings are checked',
  description: `What qualifies for the tool directory of the ${SITE_NAME}, what the grades and days mean, and how to report an error.`,
  blocks: [
    ...qualifies,
    ...words,
    ...grades,
    ...checkDay,
    ...readAgain,
    { heading: 'If something is wrong', id: 'errors' },
    { text: 'Tell us the name of the tool, what is wrong, and where the vendor says otherwise.' },
    { text: contact(site) },
  ],
});

const qualifies: readonly Block[] = [
  { heading: 'What qualifies', id: 'qualifies' },
  {
    text: 'A tool is listed only with its vendor’s own words and the address where they stand. The words may name a limit, a price or a licence, or only mention a free plan: that is the proof, and it is graded. The tool is one of these:',
  },
  {
    list: [
      `${PRICING.free.meaning}. Fees for each transaction may apply.`,
      `${PRICING.freemium.meaning}.`,
      `${PRICING.open_source.meaning}.`,
    ],
  },
];

const words: readonly Block[] = [
  { heading: 'Whose words', id: 'words' },
  {
    list: [
      'The quotation is the vendor’s: 20 to 220 characters, as they stand at the source apart from line breaks and marks of formatting, so that you can search for them there.',
      'What is free, and what to know before you rely on it, is in our words.',
      'A quotation in another language stands as it is; the English beside it is ours.',
      'Where the vendor’s text does not say, we say so. It does not mean that there is no limit.',
      '“Runs free” names the ways in which the free use runs. The vendor may sell others.',
    ],
  },
];

const grades: readonly Block[] = [
  { heading: 'How well the words prove it', id: 'proof' },
  {
    list: Object.entries(PROOF_WORDS).map(([grade, meaning]) => `${upperFirst(grade)}: ${meaning}.`),
  },
  {
    text: 'A pick of the report is strong or fair. The grade is shown and ranks nothing: an editor puts the tools of each need in an order of choice, and the first that fits you and whose proof is not thin is the pick.',
  },
];

const checkDay: readonly Block[] = [
  { heading: 'What the days mean', id: 'day' },
  {
    text: 'First comes the age of the vendor’s text: a day on which it is known to have stood there, or “age unknown”. Then comes the day on which we read it, at the place that is named, and nothing more. It does not mean that anybody tried the tool, or that the plan is still the same today. That place is one of these:',
  },
  { list: Object.values(METHOD_WORDS).map((words) => `${upperFirst(words)}.`) },
  {
    text: 'How old a stored copy is may not be known, so the page itself may say something else by now. Who wrote a vendor’s words down is named with the day.',
  },
];

const readAgain: readonly Block[] = [
  { heading: 'How words are read again', id: 'again' },
  {
    text: 'A program opens the source of each listing again and looks for the quotation, leaving white space, formatting and kinds of quotation marks aside. It runs when the operator of this service starts it; there is no fixed day, so go by the days of the listing.',
  },
  {
    list: [
      'The words are still there: the listing gets that day as the day of the text and of the reading.',
      'They are gone, or something else stands there: the listing leaves the directory when the service next starts.',
      'The source cannot be read: the listing stays as it was, with its old days.',
    ],
  },
  {
    text: 'A listing that has been withdrawn, or whose words were not found, is in no answer and on no page.',
  },
];
