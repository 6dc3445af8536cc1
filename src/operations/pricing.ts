import { z } from 'zod';
import { methodsOf, type Operation, operation, pageAddress } from '../catalog/operation.ts';
import { listOf, nullableText, object, oneOf, text, whole } from './answer-fields.ts';

/** The content of the price list, which does not change while the service runs. */
export type PricingParts = {
  /** Where payments go: network as CAIP-2, the asset's contract, the recipient. */
  readonly terms: { readonly network: string; readonly asset: string; readonly payTo: string };
  /** Every other operation, in the order of every list. */
  readonly operations: readonly Operation[];
  readonly freeRequestsPerMinute: number;
  /** An origin without a trailing slash. */
  readonly baseUrl: string;
  /** The key of the play-money account; present if payments are play money. */
  readonly playMoneyKey?: string;
};

const http = z
  .object({
    method: oneOf(['GET', 'POST'], 'HTTP method.'),
    methods: z
      .array(z.enum(['GET', 'POST']))
      .max(2)
      .describe('Every accepted method; with POST the input is a JSON body.'),
    url: text(300, 'Address.'),
  })
  .nullable()
  .describe('HTTP route of this tool, or null.');

const output = z.object({
  x402_version: z.literal(2).describe('Version of the payment protocol.'),
  scheme: z.literal('exact').describe('Payment scheme: the buyer signs for exactly the price.'),
  network: text(40, 'Network as CAIP-2, such as eip155:8453.'),
  asset: object('The asset to pay with.', {
    symbol: z.literal('USDC').describe('Common name.'),
    address: text(42, 'Contract address.'),
    decimals: z.literal(6).describe('Atomic units are millionths of a dollar.'),
  }),
  recipient: text(42, 'Address that every payment goes to.'),
  paid: listOf(50, 'Paid tools. Each call is paid separately; there are no accounts.', {
    tool: text(128, 'Tool name.'),
    title: text(300, 'What it is.'),
    price_usd: text(10, 'Price of one call in US dollars.'),
    amount_atomic: text(20, 'The same in atomic units of the asset.'),
    pay_page: nullableText(300, 'Page where a person can pay for it, or null.'),
    http,
  }),
  free: listOf(50, 'Free tools.', { tool: text(128, 'Tool name.'), title: text(300, 'What it is.'), http }),
  free_limit: object('How many free calls you can make. Paid calls are not counted.', {
    requests_per_minute: whole('Free calls a minute, over MCP and HTTP together.'),
    per: z.literal('ip_address').describe('The limit applies to each of these.'),
  }),
  how_to_pay: object('How a client pays.', {
    mcp: text(600, 'Over MCP.'),
    http: text(600, 'Over HTTP.'),
  }),
  promises: z.array(text(300, 'A promise.')).max(10).describe('Guarantees for each paid call.'),
});

const HOW_TO_PAY = {
  mcp: 'Call the tool without payment: the result has isError and an x402 v2 PaymentRequired in structuredContent. Sign an EIP-3009 authorization for one of its accepts, then repeat the same call with the PaymentPayload in params._meta["x402/payment"] (the object, or its JSON as base64). The receipt comes in _meta["x402/payment-response"].',
  http: 'Send the request without payment: the response is 402 with a PAYMENT-REQUIRED header. Sign an EIP-3009 authorization for one of its accepts, then repeat the identical request with the PaymentPayload as base64-encoded JSON in PAYMENT-SIGNATURE. The receipt comes in PAYMENT-RESPONSE.',
};

const PROMISES = [
  'Invalid input is never charged.',
  'The answer is calculated before the payment is settled; without an answer, you pay nothing.',
  'If a reply is lost, repeat the same call with the same payment: it is never charged twice.',
];

const PLAY_MONEY =
  'PLAY MONEY: payments settle on this service’s own chain and are worth nothing. Do not sign with real money. Real money could not be taken, because the recipient is the USDC contract itself, which rejects such transfers.';

/** The price list as a free MCP tool. Over HTTP, the price list is in pages and documents. */
export function pricing(parts: PricingParts): Operation {
  const body = priceList(parts);
  return operation({
    name: 'pricing',
    operationId: 'getPricing',
    title: 'Prices and how to pay',
    summary: 'Prices, limits and how to pay',
    description:
      'Free. Prices, network, asset and recipient of the paid tools, their HTTP routes, the free limit, and how to pay over MCP or HTTP.',
    route: null,
    price: null,
    input: {},
    output,
    example: {},
    run: () => ({ kind: 'answer', body }),
  }) as Operation;
}

function priceList(parts: PricingParts): z.input<typeof output> {
  const { terms, operations, freeRequestsPerMinute, baseUrl, playMoneyKey } = parts;
  const twin = ({ route }: Operation) =>
    route === null
      ? null
      : { method: route.method, methods: [...methodsOf(route)], url: `${baseUrl}${route.path}` };
  const tools = operations.filter(({ tool }) => tool);
  return {
    x402_version: 2,
    scheme: 'exact',
    network: terms.network,
    asset: { symbol: 'USDC', address: terms.asset, decimals: 6 },
    recipient: terms.payTo,
    paid: tools.flatMap((paid) => {
      const { name, title, price, page } = paid;
      if (price === null) return [];
      return [
        {
          tool: name,
          title,
          price_usd: price.usd,
          amount_atomic: price.atomic,
          pay_page: page === null ? null : `${baseUrl}${pageAddress(page)}`,
          http: twin(paid),
        },
      ];
    }),
    free: tools
      .filter(({ price }) => price === null)
      .map((free) => ({ tool: free.name, title: free.title, http: twin(free) })),
    free_limit: { requests_per_minute: freeRequestsPerMinute, per: 'ip_address' },
    how_to_pay: HOW_TO_PAY,
    promises: playMoneyKey === undefined ? PROMISES : [PLAY_MONEY, ...PROMISES],
  };
}
