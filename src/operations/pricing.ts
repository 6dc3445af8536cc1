import { z } from 'zod';
import { methodsOf, type Operation, operation } from '../catalog/operation.ts';
import { nullableText } from './answer-fields.ts';

/** What the price list is made from; nothing in it changes while the service runs. */
export type PricingParts = {
  /** Where payments go: network as CAIP-2, the asset's contract, the recipient. */
  readonly terms: { readonly network: string; readonly asset: string; readonly payTo: string };
  /** Every other operation, in the order of every list. */
  readonly operations: readonly Operation[];
  readonly freeRequestsPerMinute: number;
  /** An origin without a closing slash. */
  readonly baseUrl: string;
  /** Given where payments are play money. */
  readonly playMoneyKey?: string;
};

const text = (describe: string, max = 300) => z.string().max(max).describe(describe);

const http = z
  .object({
    method: z.enum(['GET', 'POST']).describe('HTTP method.'),
    methods: z
      .array(z.enum(['GET', 'POST']))
      .max(2)
      .describe('Every method that is taken; by POST the input is a JSON body.'),
    url: text('Address.'),
  })
  .nullable()
  .describe('The same over HTTP, or null.');

const output = z.object({
  x402_version: z.literal(2).describe('Version of the payment protocol.'),
  scheme: z.literal('exact').describe('Payment scheme: the buyer signs for exactly the price.'),
  network: text('Network as CAIP-2, such as eip155:8453.', 40),
  asset: z
    .object({
      symbol: z.literal('USDC').describe('Name people use.'),
      address: text('Contract address.', 42),
      decimals: z.literal(6).describe('Atomic units are millionths of a dollar.'),
    })
    .describe('What is paid with.'),
  recipient: text('Address that every payment goes to.', 42),
  paid: z
    .array(
      z.object({
        tool: text('Tool name.', 128),
        title: text('What it is.'),
        price_usd: text('Price of one call in US dollars.', 10),
        amount_atomic: text('The same in atomic units of the asset.', 20),
        pay_page: nullableText(300, 'Page where a person can pay for it, or null.'),
        http,
      }),
    )
    .max(50)
    .describe('Paid tools. Each call is paid on its own; there are no accounts.'),
  free: z
    .array(z.object({ tool: text('Tool name.', 128), title: text('What it is.'), http }))
    .max(50)
    .describe('Free tools.'),
  free_limit: z
    .object({
      requests_per_minute: z.int().describe('Free calls a minute, over MCP and HTTP together.'),
      per: z.literal('ip_address').describe('Whom the limit counts.'),
    })
    .describe('Paid calls are not counted.'),
  how_to_pay: z
    .object({ mcp: text('Over MCP.', 600), http: text('Over HTTP.', 600) })
    .describe('What a client does to pay.'),
  promises: z.array(text('A promise.')).max(10).describe('What holds for every paid call.'),
});

const HOW_TO_PAY = {
  mcp: 'Call the tool without payment: the result has isError and an x402 v2 PaymentRequired in structuredContent. Sign an EIP-3009 authorization for one of its accepts, then repeat the same call with the PaymentPayload in params._meta["x402/payment"] (the object, or base64 of its JSON). The receipt comes in _meta["x402/payment-response"].',
  http: 'Send the request without payment: the answer is 402 with a PAYMENT-REQUIRED header. Sign an EIP-3009 authorization for one of its accepts, then repeat the identical request with the PaymentPayload, base64 of its JSON, in PAYMENT-SIGNATURE. The receipt comes in PAYMENT-RESPONSE.',
};

const PROMISES = [
  'Invalid input is never charged.',
  'The answer is worked out before the payment is settled; without an answer there is nothing to pay.',
  'If a reply is lost, repeat the same call with the same payment: it is never charged twice.',
];

const PLAY_MONEY =
  'PLAY MONEY: payments settle on a chain of this service and are worth nothing. Do not sign with real money; none could be taken: the recipient is the USDC contract itself, which refuses it.';

/** The price list as a free MCP tool; over HTTP it is in pages and documents. */
export function pricing(parts: PricingParts): Operation {
  const body = listOf(parts);
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

function listOf(parts: PricingParts): z.input<typeof output> {
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
          pay_page: page === null ? null : `${baseUrl}${page.path}`,
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
