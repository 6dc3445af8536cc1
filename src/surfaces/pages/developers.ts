import { methodsOf } from '../../catalog/operation.ts';
import { buyerPrograms, programText } from '../discovery/buyers.ts';
import { ALSO_ACCEPTED, exampleCommand, INPUT_LEGEND, inputColumn, inputRules } from '../discovery/inputs.ts';
import {
  exampleWords,
  payloadText,
  paymentRules,
  receiptWords,
  TYPED_CLIENT,
  typesText,
  VERIFY_RECEIPT,
} from '../discovery/payment-guide.ts';
import { paymentSteps, promises } from '../discovery/texts.ts';
import { isPaid, networkName, routed, type Site } from '../site.ts';
import type { Block, Page, Text } from './content.ts';

/** Everything that a program needs to call and pay, on one page. */
export function developersPage(site: Site): Page {
  const [lead, ...blocks] = [
    ...startBlocks(site),
    ...clientBlocks(site),
    ...paymentBlocks(site),
    ...programBlocks(site),
    ...inputBlocks(site),
    { heading: 'Rules beyond the schemas', id: 'rules' },
    { text: `${ALSO_ACCEPTED} These rules apply in addition to the schemas:` },
    { list: inputRules.map(({ says }) => says) },
  ];
  const contents = blocks.flatMap((block): Text[] =>
    'heading' in block && typeof block.heading === 'string' && block.id !== undefined
      ? [[{ link: block.heading, href: `/developers#${block.id}` }]]
      : [],
  );
  return {
    path: '/developers',
    title: 'For developers and agents',
    description: 'Prices, HTTP, MCP and x402 on one page, with example programs in four languages.',
    picture: 'developers',
    blocks: lead === undefined ? [] : [lead, { list: contents }, ...blocks],
  };
}

/** The operations, their prices and a first request. */
function startBlocks(site: Site): Block[] {
  const { baseUrl, freeRequestsPerMinute } = site;
  const operations = routed(site);
  const [first] = operations.filter((operation) => !isPaid(operation));
  return [
    {
      text: 'Programs get the same answers as the pages, over HTTP or MCP, without an account or a key. A request for a paid answer carries its own payment.',
    },
    { heading: 'Operations and prices', id: 'operations' },
    {
      table: {
        isLastLong: true,
        head: ['Request', 'Price', 'What'],
        rows: operations.map(({ summary, route, operationId, price }) => [
          [{ link: `${methodsOf(route).join(' or ')} ${route.path}`, href: `/docs#${operationId}` }],
          price === null ? 'free' : `USD\u00a0${price.usd}`,
          summary,
        ]),
      },
    },
    { heading: 'A first request', id: 'http' },
    {
      text: ['Base address: ', { code: baseUrl }, '. GET takes a query, POST one JSON object.'],
    },
    ...(first === undefined ? [] : [{ code: exampleCommand(first, baseUrl), language: 'sh' as const }]),
    {
      text: [
        `Free requests: ${freeRequestsPerMinute} a minute from one address, then 429 with Retry-After. Invalid input gets 400 and is never charged. errors lists every fault with a pointer and a hint. The contents of the answers are in `,
        { link: 'the API reference', href: '/docs' },
        ' and ',
        { link: 'OpenAPI 3.1', href: '/openapi.json' },
        '.',
      ],
    },
    { list: documents() },
  ];
}

const documents = (): readonly Text[] => [
  [{ link: 'MCP server card', href: '/mcp/server-card' }],
  [{ link: 'x402 manifest', href: '/.well-known/x402' }],
  [{ link: 'llms.txt', href: '/llms.txt' }, ' for language models'],
  [{ link: 'API catalogue', href: '/.well-known/api-catalog' }],
];

/** Every input, one per line. */
const inputBlocks = (site: Site): Block[] => [
  { heading: 'Inputs', id: 'inputs' },
  { text: `In the inputs, ${INPUT_LEGEND}; the value after = is the default.` },
  ...routed(site).flatMap((operation): Block[] => [
    { subheading: operation.title },
    { text: [{ code: `${methodsOf(operation.route).join(' or ')} ${operation.route.path}` }] },
    { code: inputColumn(operation), language: 'text' },
  ]),
];

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
    text: 'Each program buys the cheapest operation. It pays from the wallet whose private key is in BUYER_KEY. In TypeScript and Python, a library signs. In Go, the buyer comes first and the signer second. The signer for curl is sign.mjs.',
  },
  ...buyerPrograms.flatMap((program): Block[] => [
    { subheading: program.title },
    { code: programText(program, site), language: program.language },
  ]),
];

/** What users of common clients need to know. */
const clientBlocks = ({ baseUrl }: Site): Block[] => [
  { heading: 'MCP, and common clients', id: 'clients' },
  {
    list: [
      [
        'Over MCP: ',
        { code: `${baseUrl}/mcp` },
        ' (streamable HTTP). Call a paid tool without a payment; the result has isError and contains the terms in structuredContent. Repeat the call with the PaymentPayload in ',
        { code: 'params._meta["x402/payment"]' },
        '. The receipt is in _meta["x402/payment-response"].',
      ],
      TYPED_CLIENT,
      'All @x402 packages must have the same minor version: mixed versions refuse the payment before it is sent.',
      'withX402Client of Cloudflare’s agents pays at most 0.10 USD unless you raise maxPaymentValue (1000000 is one dollar). Other wallets also have caps; raise the cap to the price.',
      'Clients of x402 version 1 (x402-fetch, x402-axios, the header X-PAYMENT) cannot pay here: use @x402/fetch or @x402/axios, version 2.',
      'A client that sends its payment to resource.url without the query, such as the mppx CLI, must buy by POST, with the input in the body.',
      'In types generated from /openapi.json, each field with a default is optional; the description states the default.',
    ],
  },
];
