import { buyerPrograms, programText } from '../discovery/buyers.ts';
import { INPUT_LEGEND, inputLine } from '../discovery/input-lines.ts';
import {
  exampleWords,
  payloadText,
  paymentRules,
  receiptWords,
  TYPED_CLIENT,
  typesText,
  VERIFY_RECEIPT,
} from '../discovery/payment-lesson.ts';
import { ALSO_TAKEN, unsaidRules } from '../discovery/unsaid-rules.ts';
import { paymentSteps, promises } from '../discovery/words.ts';
import { networkName, routed, type Site } from '../site.ts';
import type { Block, Page } from './content.ts';

/** Everything that a program needs in order to call and to pay, on one page. */
export function developersPage(site: Site): Page {
  return {
    path: '/developers',
    title: 'For developers and agents',
    description: 'Every input in a line, the payment in full, and programs that buy, in four languages.',
    blocks: [
      ...operationBlocks(site),
      ...paymentBlocks(site),
      ...programBlocks(site),
      ...clientBlocks(site),
      { heading: 'What no schema says', id: 'rules' },
      { text: `${ALSO_TAKEN} And these rules hold that no schema says:` },
      { list: unsaidRules.map(({ says }) => says) },
    ],
  };
}

function operationBlocks(site: Site): Block[] {
  const { baseUrl, freeRequestsPerMinute } = site;
  return [
    {
      text: [
        'Base address: ',
        { code: baseUrl },
        '. No account, no key. GET takes a query, POST one JSON object. What the answers hold: ',
        { link: 'the API reference', href: '/docs' },
        ' and ',
        { link: 'OpenAPI 3.1', href: '/openapi.json' },
        '.',
      ],
    },
    { heading: 'Operations', id: 'operations' },
    { text: `Of the inputs, ${INPUT_LEGEND}.` },
    { list: routed(site).map((operation) => [{ code: inputLine(operation) }]) },
    {
      text: `Free requests: ${freeRequestsPerMinute} a minute for one address; then 429 with Retry-After. Invalid input is 400 and lists every fault in errors, each with a pointer and a hint; it is never charged.`,
    },
  ];
}

function paymentBlocks(site: Site): Block[] {
  const { terms } = site;
  const receipts = receiptWords(site);
  return [
    { heading: 'Pay', id: 'pay' },
    { text: `x402 version 2, scheme exact, USDC on ${networkName(terms)} (${terms.network}).` },
    { steps: paymentSteps },
    { list: promises },
    { subheading: 'What is signed', id: 'signing' },
    { text: 'EIP-712 typed data; the primary type is TransferWithAuthorization:' },
    { code: typesText, language: 'json' },
    { list: paymentRules },
    { subheading: 'The PaymentPayload', id: 'payload' },
    { text: exampleWords },
    { code: payloadText, language: 'json' },
    ...(receipts === null
      ? []
      : [
          { subheading: 'Proof of a purchase', id: 'receipts' },
          { text: receipts },
          { code: VERIFY_RECEIPT, language: 'ts' as const },
        ]),
  ];
}

const programBlocks = (site: Site): Block[] => [
  { heading: 'Programs that buy', id: 'programs' },
  {
    text: 'Each buys the cheapest operation with the wallet whose private key is in BUYER_KEY. In TypeScript and Python a library signs; in Go the buyer comes first and the signer after it; the signer for curl is sign.mjs.',
  },
  ...buyerPrograms.flatMap((program): Block[] => [
    { subheading: program.title },
    { code: programText(program, site), language: program.language },
  ]),
];

/** What the clients in use need to be told. */
const clientBlocks = ({ baseUrl }: Site): Block[] => [
  { heading: 'Clients', id: 'clients' },
  {
    list: [
      [
        'Over MCP: ',
        { code: `${baseUrl}/mcp` },
        ' (streamable HTTP). Call a paid tool as if it were free; the result has isError and the terms in structuredContent. Repeat the call with the PaymentPayload in ',
        { code: 'params._meta["x402/payment"]' },
        '. The receipt is in _meta["x402/payment-response"].',
      ],
      TYPED_CLIENT,
      'The @x402 packages must be of one minor version: mixed ones refuse the payment before it is sent.',
      'withX402Client of Cloudflare’s agents pays 0.10 USD at most unless maxPaymentValue says more: 1000000 for a dollar. Other wallets have caps too; raise one to the price.',
      'Clients of x402 version 1 (x402-fetch, x402-axios, the header X-PAYMENT) cannot pay here: use @x402/fetch or @x402/axios, version 2.',
      'A client that pays at resource.url without the query, such as the CLI of mppx, buys by POST: its input is then in the body.',
      'Types made of /openapi.json have each field that may be left out as optional; what it then counts as is in its description.',
    ],
  },
];
