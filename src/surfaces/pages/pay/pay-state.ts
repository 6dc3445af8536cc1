/** What is bought, as its buyer reads it. */
export type Goods = {
  /** "Three options for Harrow & Finch" */
  readonly title: string;
  /** The input in a line; '' where it says nothing. */
  readonly about: string;
  /** What to know before paying. */
  readonly notes: readonly string[];
};

/** What the buyer signs. */
export type SignedTerms = {
  /** Millionths of a USDC. */
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
};

/** The paying account; `millionths` is its balance, null where the wallet does not say. */
export type Payer = { readonly address: string; readonly millionths: bigint | null };

/** What identifies a payment in a wallet or on the chain; null where the signed payment cannot be read. */
export type PaymentFacts = { readonly amount: string; readonly from: string; readonly nonce: string };

export type PayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  /** Nothing was signed or charged. */
  | { readonly kind: 'stopped'; readonly title: string; readonly says: string }
  /** `boughtMs`: when exactly the same was bought, or null; `isGone` once its answer was looked for in vain. */
  | { readonly kind: 'offer'; readonly boughtMs: number | null; readonly isGone: boolean }
  | {
      readonly kind: 'wallets';
      readonly wallets: readonly { readonly name: string; readonly icon: string }[];
    }
  | { readonly kind: 'no wallet' }
  | { readonly kind: 'asking'; readonly payer: Payer | null }
  | { readonly kind: 'paying'; readonly says: string; readonly isRepeated: boolean }
  /** Another tab is at a wallet or pays for the same operation. */
  | { readonly kind: 'elsewhere' }
  /** Another tab follows the payment to its end. */
  | { readonly kind: 'followed elsewhere' }
  | { readonly kind: 'ended elsewhere' }
  | { readonly kind: 'not paid'; readonly says: string }
  /** The payment may still be made. */
  | { readonly kind: 'unknown'; readonly facts: PaymentFacts | null; readonly about: string }
  /** The service remembers nothing of the payment; `isSpent` where its authorization was used. */
  | {
      readonly kind: 'doubtful';
      readonly facts: PaymentFacts | null;
      readonly about: string;
      readonly isSpent: boolean;
    };

/** What the sheet says of the shop. */
export type Shop = {
  readonly operation: string;
  /** Dollars and cents: "0.05". */
  readonly usd: string;
  readonly network: string;
  /** Shows accounts and transfers of the network; null where none does. */
  readonly explorer: string | null;
  readonly isPlayMoney: boolean;
  /** The address of the service, without a slash at its end. */
  readonly baseUrl: string;
  /** The path of the page, which a wallet on another device can open. */
  readonly path: string;
};

/** What the server knows of the shop; the rest follows in the browser. */
export type ServedShop = Omit<Shop, 'explorer' | 'isPlayMoney'>;

/** "0.01" of 10000 millionths, with the cents at least. */
export function usdcText(millionths: bigint): string {
  const fraction = String(millionths % 1_000_000n)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${millionths / 1_000_000n}.${fraction}`;
}

/** What an assistant that can pay is told, so that it buys the same. */
export const assistantPrompt = (
  { operation, usd, network, baseUrl }: Shop,
  values: Readonly<Record<string, unknown>>,
): string =>
  `Please buy this for me. Connect to the MCP server ${baseUrl}/mcp and call its tool ${operation} with these arguments:

${JSON.stringify(values, null, 2)}

It costs ${usd} USDC on ${network}, paid once by x402. Show me the price before you pay, and the whole answer afterwards.`;
