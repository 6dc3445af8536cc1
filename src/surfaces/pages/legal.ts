import { networkName, SITE_NAME, type Site } from '../site.ts';
import type { Page, Span, Text } from './content.ts';
import { REMEMBER } from './form-texts.ts';

/** The day on which the meaning of these texts last changed. */
export const LEGAL_CHANGED_ON = '2026-11-24';

/** Where to write to the operator. */
export const contact = ({ contactEmail }: Site): Text =>
  contactEmail === null
    ? 'Contact: ask the operator of this address.'
    : ['Contact: ', { link: contactEmail, href: `mailto:${contactEmail}` }];

export const termsPage = (site: Site): Page => ({
  path: '/terms',
  title: 'Terms of service',
  description: `What you may expect of the ${SITE_NAME} and what it expects of you.`,
  blocks: [
    { heading: 'What you get' },
    {
      text: 'Calculations, letters, quotes and reports made from what you send and from a directory of checked listings. They are a help, not legal, tax or financial advice: check your contract and the law that applies to you before you charge a fee or send a letter.',
    },
    { heading: 'What it costs' },
    {
      list: [
        `Free operations are free, up to ${site.freeRequestsPerMinute} requests a minute for one address.`,
        `Paid operations have the price that their answer 402 names, in USDC on ${networkName(site.terms)}. You pay by signing for exactly that amount.`,
        'You are charged only for an answer that exists. Invalid input, unknown addresses and failures of ours are never charged.',
        'If the reply to a paid request is lost, repeat the identical request with the same payment and you get the answer without paying again.',
        'A settled payment moves money on a public chain and cannot be taken back by us; for a wrong answer, write to us.',
      ],
    },
    { heading: 'What we ask' },
    {
      list: [
        'Do not try to get around limits or to harm the service or others with it.',
        'What you send must be yours to send.',
      ],
    },
    { heading: 'What we do not promise' },
    {
      text: 'The service comes as it is, without warranty. Listings of the directory were checked on the day they name and may have changed since. Endpoints under /v1 keep their fields; new ones may be added.',
    },
    { text: contact(site) },
  ],
});

export const privacyPage = (site: Site): Page => ({
  path: '/privacy',
  title: 'Privacy',
  description: 'Nothing you send is stored by us.',
  blocks: [
    { heading: 'What you send' },
    {
      text: 'Input is used to work out the answer and is then forgotten. It is not stored, not logged and not passed on. Answers are not stored either: when you collect an answer again, it is worked out again.',
    },
    { heading: 'Payments' },
    {
      text: 'A payment is a transfer on a public chain between your address and ours. So that nobody is charged twice, we remember for each payment public facts of the chain and digests of the request and the signature, none of which tells what was asked. Who settles the payment is told the address of the operation, never your input.',
    },
    { heading: 'What your browser keeps of a purchase' },
    {
      text: 'So that nothing you paid for is lost with a closed page, your browser keeps a purchase on your device, and sends none of it anywhere but to this service:',
    },
    {
      list: [
        'the signed payment and what you wrote, from before it is sent until its end is known, 30 days at most;',
        'the answer with its receipt, and what you write onto its document or wrote onto that of the quote it is made of, until you delete it or for 30 days;',
        'a digest of what was bought, for a day, so that you are told before you pay for exactly the same again.',
      ],
    },
    {
      text: 'What you have written in a form that is paid for stays in its tab until you have bought the answer or close the tab, so that a reload loses nothing. What you wrote for one client is not put beside what you begin for another.',
    },
    {
      text: 'One tap before paying turns all of it off, which is right on a device that others use: then nothing outlives the page, and what came along from a free calculator leaves the address. That calculator’s own address stays in the history of your browser. The paid page deletes one answer or everything.',
    },
    { heading: 'What your browser remembers of your business' },
    {
      text: `With the tick at “${REMEMBER}” your browser keeps the name and address of your business, how you are paid, your currency and what your tax is called. On the page of a quote the tick is set until you take it away; elsewhere you set it. It fills them in on this device; nothing about a client is among them, and nothing that a link of somebody else brought.`,
    },
    { heading: 'What you write into a form' },
    {
      text: 'The free calculators run in your browser: what you write is not sent, and a link that shares a result holds it behind its #, which browsers keep to themselves. Without their script, while that has not come, and for what costs, it is sent to us and forgotten after the answer; below its form a free calculator says which of both holds. Your browser keeps the quote that you write on your device, until you start a new one.',
    },
    { heading: 'Your network address' },
    {
      text: 'It is counted for the free limit, for a minute: in memory or, where several machines share the work, in their common store, as a digest that changes every day and that nobody else can read back. It is not logged.',
    },
    { heading: 'Cookies and third parties' },
    { text: 'No cookies, no analytics, nothing loaded from other parties.' },
    { text: contact(site) },
  ],
});

export const securityPage = (site: Site): Page => ({
  path: '/security',
  title: 'Reporting a security problem',
  description: 'How to tell us about a weakness, and what happens then.',
  blocks: [
    { text: 'Tell us what you found and how to see it happen.' },
    {
      list: [
        'In scope: this origin, its HTTP API, its MCP server and its payments.',
        'Please do not take more than you need to show the problem, do not touch what belongs to others, and do not flood the service.',
        'We answer, mend what is broken and, if you like, name you. There is no bounty.',
      ],
    },
    { text: securityContact(site) },
  ],
});

/** security.txt names this page where there is no address, so the page must not name security.txt. */
const securityContact = (site: Site): Text =>
  site.contactEmail === null
    ? 'The operator has set no address for this. Ask whoever runs this site; the registration data of its domain (RDAP, WHOIS) names a contact for abuse.'
    : [
        ...(contact(site) as Span[]),
        ', for programs in ',
        { link: 'security.txt', href: '/.well-known/security.txt' },
        '.',
      ];
