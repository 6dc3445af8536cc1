/** The purchase as its buyer reads it. */
export type Goods = {
  /** "Three options for Harrow & Finch" */
  readonly title: string;
  /** The input in one line; '' if there is nothing to show. */
  readonly about: string;
  /** Notes to read before paying. */
  readonly notes: readonly string[];
};

/** The terms that the buyer signs. */
export type SignedTerms = {
  /** Millionths of a USDC. */
  readonly amount: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
};

/** The paying account; `millionths` is its balance, or null if the wallet does not report it. */
export type Payer = { readonly address: string; readonly millionths: bigint | null };

/** What identifies a payment in a wallet or on the chain; null if the signed payment cannot be read. */
export type PaymentFacts = { readonly amount: string; readonly from: string; readonly nonce: string };

export type PayState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  /** Nothing was signed or charged. */
  | { readonly kind: 'stopped'; readonly title: string; readonly says: string }
  /** `boughtMs`: the time of an identical purchase, or null; `isGone` if its answer could not be found. */
  | { readonly kind: 'offer'; readonly boughtMs: number | null; readonly isGone: boolean }
  | {
      readonly kind: 'wallets';
      readonly wallets: readonly { readonly name: string; readonly icon: string }[];
    }
  | { readonly kind: 'no wallet' }
  | { readonly kind: 'asking'; readonly payer: Payer | null }
  | { readonly kind: 'paying'; readonly says: string; readonly isRepeated: boolean }
  /** Another tab is using a wallet or paying for the same operation. */
  | { readonly kind: 'elsewhere' }
  /** Another tab follows the payment until it completes. */
  | { readonly kind: 'followed elsewhere' }
  | { readonly kind: 'ended elsewhere' }
  | { readonly kind: 'not paid'; readonly says: string }
  /** The payment may still go through. */
  | { readonly kind: 'unknown'; readonly facts: PaymentFacts | null; readonly about: string }
  /** The server has no record of the payment; `isSpent` if its authorization was used. */
  | {
      readonly kind: 'doubtful';
      readonly facts: PaymentFacts | null;
      readonly about: string;
      readonly isSpent: boolean;
    };

/** Facts about the shop for the sheet. */
export type Shop = {
  readonly operation: string;
  /** Dollars and cents: "0.05". */
  readonly usd: string;
  readonly network: string;
  /** A block explorer for accounts and transfers; null if there is none. */
  readonly explorer: string | null;
  readonly isPlayMoney: boolean;
  /** The address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** The path of the page, which a wallet on another device can open. */
  readonly path: string;
};

/** The facts that the server knows. The rest is added in the browser. */
export type ServedShop = Omit<Shop, 'explorer' | 'isPlayMoney'>;

/** "0.01" for 10000 millionths, with at least two decimal places. */
export function usdcText(millionths: bigint): string {
  const fraction = String(millionths % 1_000_000n)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${millionths / 1_000_000n}.${fraction}`;
}

/** Instructions for an assistant that can pay, so that it buys the same answer. */
export const assistantPrompt = (
  { operation, usd, network, baseUrl }: Shop,
  values: Readonly<Record<string, unknown>>,
): string =>
  `Please buy this for me. Connect to the MCP server ${baseUrl}/mcp and call its tool ${operation} with these arguments:

${JSON.stringify(values, null, 2)}

It costs ${usd} USDC on ${network}, paid once by x402. Show me the price before you pay, and the complete result afterward.`;
