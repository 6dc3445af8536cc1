import { SITE_NAME, type Site } from '../discovery/site.ts';
import type { Block, Page, Text } from './content.ts';
import { HOW_CHECKED_PATH, METHODS, PRICING, upperFirst } from './views/listing-words.ts';

/** How a tool comes to be listed, what a check is and is not, and how to report an error. */
export const howCheckedPage = (site: Site): Page => ({
  path: HOW_CHECKED_PATH,
  title: 'How listings are checked',
  description: `What qualifies for the tool directory of the ${SITE_NAME}, what a check day means, and how to report an error.`,
  blocks: [
    ...qualifies,
    ...words,
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
    text: 'A tool is listed only with its vendor’s own words and the address where they stand. The words may name a limit, a price or a licence, or only mention a free plan. The tool is one of these:',
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
      '“Not evidenced” means that we have no words of the vendor’s for it. It does not mean that there is no limit.',
      '“No restriction known” means that we know of no limit to some countries. There may be one.',
      '“Runs” names every way in which the tool is offered. Not all of them need be free.',
    ],
  },
];

const checkDay: readonly Block[] = [
  { heading: 'What the check day means', id: 'day' },
  {
    text: 'It is the day on which the words were read at the place that the listing names, and nothing more. It does not mean that anybody tried the tool, or that the plan is still the same today.',
  },
  { text: 'That place is one of these:' },
  {
    list: [
      `${upperFirst(METHODS.vendor_repository)}.`,
      `${upperFirst(METHODS.vendor_page)}.`,
      `${upperFirst(METHODS.stored_copy)}. How old the copy is may not be known, so the page itself may say something else by now.`,
      `${upperFirst(METHODS.live_page)}.`,
    ],
  },
  {
    text: 'Where a date of the source is given, it is a day on which the text stood there. A listing warns you when its words about a plan are older than 18 months, or of unknown age, on the day of the latest check in the directory. Words from a licence get no such warning, for they do not age like a price.',
  },
];

const readAgain: readonly Block[] = [
  { heading: 'How words are read again', id: 'again' },
  {
    text: 'A program opens the source of each listing again and looks for the quotation, leaving white space, formatting and kinds of quotation marks aside. It runs when the operator of this service starts it; there is no fixed day, so go by the check day of the listing.',
  },
  {
    list: [
      'The words are still there: the listing gets that day as its check day.',
      'They are gone, or something else stands there: the listing leaves the directory when the service next starts.',
      'The source cannot be read: the listing stays as it was, with its old check day.',
    ],
  },
  {
    text: 'A listing that has been withdrawn, or whose words were not found, is in no answer and on no page.',
  },
];

const contact = ({ contactEmail }: Site): Text =>
  contactEmail === null
    ? 'Contact: ask the operator of this address.'
    : ['Contact: ', { link: contactEmail, href: `mailto:${contactEmail}` }];
