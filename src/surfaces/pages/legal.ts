import { networkName, SITE_NAME, type Site } from '../site.ts';
import type { Block, Page, Span, Text } from './content.ts';
import { REMEMBER } from './form-texts.ts';

/** The day on which the meaning of these texts last changed. */
export const LEGAL_CHANGED_ON = '2026-11-26';

export const LEGAL_PATH = '/legal';

/** Where to write to the operator. */
export const contact = ({ contactEmail }: Site): Text =>
  contactEmail === null
    ? 'Contact: ask the operator of this address.'
    : ['Contact: ', { link: contactEmail, href: `mailto:${contactEmail}` }];

/** Privacy, terms and how to report a security problem, on one page. */
export const legalPage = (site: Site): Page => ({
  path: LEGAL_PATH,
  title: 'Privacy, terms and security',
  description: `What the ${SITE_NAME} stores, what you may expect of it, and how to report a security problem.`,
  blocks: [
    {
      text: [
        { link: 'Privacy', href: `${LEGAL_PATH}#privacy` },
        ' · ',
        { link: 'Terms', href: `${LEGAL_PATH}#terms` },
        ' · ',
        { link: 'Security', href: `${LEGAL_PATH}#security` },
        ' · ',
        { link: 'Prices', href: '/#prices' },
      ],
    },
    { text: contact(site) },
    ...privacy,
    ...terms(site),
    ...security(site),
  ],
});

const privacy: readonly Block[] = [
  { heading: 'Privacy', id: 'privacy' },
  { note: 'We store nothing that you send. There are no cookies, no analytics and no third parties.' },
  { subheading: 'What you send' },
  {
    text: 'We calculate the answer from your input and then forget both. We do not store, log or share them. If you collect an answer again, we calculate it again.',
  },
  {
    text: 'With JavaScript, the free calculators and the search for tools run in your browser, and send nothing that you type. A shared link keeps your values behind its #, which browsers do not send. Without JavaScript, and for paid documents, your input is sent to us.',
  },
  { subheading: 'What your browser keeps on your device' },
  {
    list: [
      'The quote that you write, until you start a new one.',
      'At most the newest 50 quotes that you sent, until you remove them.',
      `The name, address and logo of your business, your payment details and link, your color, your currency and the name of your tax. On a quote this is on until you turn it off; elsewhere only if you tick “${REMEMBER}”. Nothing about a client is stored with it, and nothing from another person’s link.`,
      'What you write about a late invoice or for a plan, until you begin a new one or delete it.',
      'A signed payment and its input, until the payment is complete, for at most 30 days.',
      'A bought document with its receipt, what you wrote on it and the steps that you ticked, for 30 days or until you delete it.',
      'A digest of each purchase, for a day, to warn you before you pay for the same document again.',
    ],
  },
  {
    text: 'On a shared device, turn this off before you pay: nothing then outlives the page, and the values from a free calculator leave the address. The address of that calculator stays in the history of your browser. The paid page can delete one document or all of them.',
  },
  { subheading: 'Payments' },
  {
    text: 'A payment is a transfer on a public blockchain from your address to ours. To charge nobody twice, we remember public facts of the transfer and digests of your request and signature. The digests do not reveal your request. A third party that settles the payment learns the address of the operation, never your input.',
  },
  { subheading: 'Your network address' },
  {
    text: 'We count requests per address for a minute, for the limit on free requests: in memory, or in a store that our machines share, as a digest that changes every day. We do not log it.',
  },
];

const terms = (site: Site): readonly Block[] => [
  { heading: 'Terms', id: 'terms' },
  { subheading: 'What you get' },
  {
    text: 'Calculations, letters, quotes and reports, made from your input and from a directory of checked tools. They are not legal, tax or financial advice. Check your contract and the law before you charge a fee or send a letter.',
  },
  { subheading: 'What you pay' },
  {
    list: [
      `Free operations are free, up to ${site.freeRequestsPerMinute} requests a minute from one address.`,
      `A paid operation has the price in its answer 402, in USDC on ${networkName(site.terms)}. You sign for exactly that amount.`,
      'You are charged only for an answer that exists. Invalid input, unknown addresses and our own failures cost nothing.',
      'If a reply gets lost, repeat the same request with the same payment. You get the answer without paying again.',
      'A payment on a public blockchain cannot be reversed by us. If an answer is wrong, write to us.',
    ],
  },
  { subheading: 'What we ask' },
  {
    list: [
      'Do not bypass limits, and do not harm the service or other people with it.',
      'Send only what you have the right to send.',
    ],
  },
  { subheading: 'What we do not promise' },
  {
    text: 'The service comes as it is, without warranty. A listing was checked on the day that it names, and may have changed since. Endpoints under /v1 keep their fields, and may get new ones.',
  },
];

const security = (site: Site): readonly Block[] => [
  { heading: 'Security', id: 'security' },
  { text: 'Tell us about the problem and how to reproduce it.' },
  {
    list: [
      'In scope: this origin, its HTTP API, its MCP server and its payments.',
      'Take no more than you need to show the problem. Do not touch data of other people, and do not flood the service.',
      'We answer, fix the problem and, if you like, name you. There is no bounty.',
    ],
  },
  { text: securityContact(site) },
];

/** security.txt names this page if there is no address, so the page must not name security.txt. */
const securityContact = (site: Site): Text =>
  site.contactEmail === null
    ? 'The operator has set no address for this. Ask the operator of this site; the registration data of its domain (RDAP, WHOIS) names a contact for abuse.'
    : [
        ...(contact(site) as Span[]),
        ', for programs in ',
        { link: 'security.txt', href: '/.well-known/security.txt' },
        '.',
      ];
