import { networkName, SITE_NAME, type Site } from '../site.ts';
import type { Block, Page, Span, Text } from './content.ts';
import { REMEMBER } from './form-texts.ts';

/** The day on which the meaning of these texts last changed. */
export const LEGAL_CHANGED_ON = '2026-11-27';

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
  description: `What the ${SITE_NAME} stores, what you can expect from it, and how to report a security problem.`,
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
  {
    note: 'We do not store what you write. The pages use no cookies and no analytics, and load nothing from third parties.',
  },
  { subheading: 'What you send' },
  {
    text: 'We calculate the result from your input and then forget both. We do not store, log or share them. If you ask for a paid result again, we calculate it again.',
  },
  {
    text: 'With JavaScript, the free calculators and the search for tools run in your browser and send us nothing that you type. A shared link contains your values after its #, a part that browsers do not send. Without JavaScript, and for paid documents, your input is sent to us.',
  },
  { subheading: 'What your browser keeps on your device' },
  {
    list: [
      'The quote that you are writing, until you start a new one.',
      'At most the last 50 quotes that you sent, until you remove them.',
      `The name, address and logo of your business, your payment details and link, your color, your currency and the name of your tax. On a quote, these details are saved until you turn saving off. Elsewhere, they are saved only if you select “${REMEMBER}”. Nothing about a client is saved with them, and nothing from another person’s link.`,
      'What you write about a late invoice or for a plan, until you start a new one or delete it.',
      'A signed payment and its input, until the payment is complete, for at most 30 days.',
      'A document that you bought, with its receipt, what you wrote on it and the steps that you checked off, for 30 days or until you delete it.',
      'A digest of each purchase, for one day, to warn you before you pay for the same document again.',
    ],
  },
  {
    text: 'On a shared device, uncheck “Keep this purchase on this device” before you pay. Then nothing is kept after you close the page, and your values are removed from the page’s address. The address of the calculator stays in your browser history. On the page where you bought a document, you can delete it. On “On this device”, you can delete everything.',
  },
  { subheading: 'Payments' },
  {
    text: 'A payment is a transfer on a public blockchain from your address to ours. So that nobody is charged twice, we remember the public facts of the transfer and digests of your request and signature. The digests do not contain your request. If a third party settles the payment, it learns which product you bought, but not your input.',
  },
  { subheading: 'Your IP address' },
  {
    text: 'To limit free requests, we count the requests from each IP address for one minute. The counter is in memory, or in a store that our servers share. In that store, the address is only a digest that changes every day. We do not log the address.',
  },
];

const terms = (site: Site): readonly Block[] => [
  { heading: 'Terms', id: 'terms' },
  { subheading: 'What you get' },
  {
    text: 'Calculations, letters, quotes and reports, based on your input and on a directory of checked tools. They are not legal, tax or financial advice. Check your contract and the law before you charge a fee or send a letter.',
  },
  { subheading: 'What you pay' },
  {
    list: [
      `Free calculators and documents: up to ${site.freeRequestsPerMinute} requests a minute from one address.`,
      `Paid documents: you see the price in USDC on ${networkName(site.terms)} before you pay (for programs, in the 402 response). You sign for exactly that amount.`,
      'You are charged only after your document is ready. Invalid input, unknown addresses and our own failures cost nothing.',
      'If our reply is lost, repeat the same request with the same payment within a day. You get the document without paying again.',
      'We cannot reverse a payment on a public blockchain. If a document is wrong, write to us.',
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
    text: 'The service is provided as is, without warranty. Each tool was checked on the day shown in its listing, and may have changed since. Endpoints under /v1 keep their fields, and may gain new ones.',
  },
];

const security = (site: Site): readonly Block[] => [
  { heading: 'Security', id: 'security' },
  { text: 'Tell us what the problem is and how to reproduce it.' },
  {
    list: [
      'In scope: this origin, its HTTP API, its MCP server and its payments.',
      'Access no more than you need to demonstrate the problem. Do not touch other people’s data, and do not flood the service.',
      'We reply, fix the problem and, if you like, credit you. There is no bounty.',
    ],
  },
  { text: securityContact(site) },
];

/** security.txt names this page if there is no address, so the page must not name security.txt. */
const securityContact = (site: Site): Text =>
  site.contactEmail === null
    ? 'The operator has not set an email address for this. Ask the operator of this site. The registration data of its domain (RDAP, WHOIS) lists an abuse contact.'
    : [
        ...(contact(site) as Span[]),
        ', also in ',
        { link: 'security.txt', href: '/.well-known/security.txt' },
        '.',
      ];
