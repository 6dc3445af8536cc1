import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** One HTTP exchange as the buyer's client made it. */
export type Seen = { readonly request: Request; readonly response: Response };

/** A buyer with the official x402 client; `onSeen` is called with every exchange, the 402 as well as the paid one. */
export type Buyer = {
  readonly address: string;
  fetch(url: string, init?: RequestInit): Promise<Response>;
};

export function createBuyer(key: Hex, network: `eip155:${number}`, onSeen: (seen: Seen) => void): Buyer {
  const account = privateKeyToAccount(key);
  const client = new x402Client().register(network, new ExactEvmScheme(account));
  const watched: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request.clone());
    onSeen({ request, response: response.clone() });
    return response;
  };
  return { address: account.address, fetch: wrapFetchWithPayment(watched, client) };
}

/** The JSON in a base64 x402 header; null if there is none. */
export function headerJson<Value>(headers: Headers, name: string): Value | null {
  const text = headers.get(name);
  return text === null ? null : (JSON.parse(Buffer.from(text, 'base64').toString('utf8')) as Value);
}

type Required = Parameters<x402Client['createPaymentPayload']>[0];
type ToolResult = {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
};
/** What an agent sees of one paid tool call: the challenge, then the answer with its receipt. */
type ToolPurchase = { readonly challenge: ToolResult; readonly answer: ToolResult };

/** Buys one tool call as an agent does: call, read the challenge, sign, call again with the payment in `_meta`. */
export async function buyTool(
  url: string,
  { key, network }: { key: Hex; network: `eip155:${number}` },
  { name, args }: { name: string; args: Readonly<Record<string, unknown>> },
): Promise<ToolPurchase> {
  const wallet = new x402Client().register(network, new ExactEvmScheme(privateKeyToAccount(key)));
  const client = new Client({ name: 'demo-buyer', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const call = { name, arguments: { ...args } };
    const challenge = (await client.callTool(call)) as ToolResult;
    const payment = await wallet.createPaymentPayload(challenge.structuredContent as Required);
    const answer = (await client.callTool({ ...call, _meta: { 'x402/payment': payment } })) as ToolResult;
    return { challenge, answer };
  } finally {
    await client.close();
  }
}

type Challenge = { accepts: { amount: string; payTo: string; network: string }[] };
type Payment = { payload: { authorization: { from: string; value: string; nonce: string } } };
type Receipt = { success: boolean; transaction: string; payer: string };

/** Formats atomic USDC for people: "50000" becomes "0.05 USDC". */
export const usdcText = (atomic: string | bigint): string => {
  const padded = String(atomic).padStart(7, '0');
  const decimals = padded.slice(-6).replace(/0+$/, '').padEnd(2, '0');
  return `${padded.slice(0, -6)}.${decimals} USDC`;
};

/** One HTTP exchange of a purchase, line by line. */
export function seenLines({ request, response }: Seen): string[] {
  const { pathname, search } = new URL(request.url);
  const lines = [`> ${request.method} ${pathname}${search}`];
  const payment = headerJson<Payment>(request.headers, 'payment-signature');
  if (payment) {
    const { from, value, nonce } = payment.payload.authorization;
    lines.push(`> PAYMENT-SIGNATURE: ${from} signs ${usdcText(value)}, nonce ${nonce.slice(0, 10)}…`);
  }
  lines.push(`< ${response.status} ${response.statusText}`.trimEnd());
  const challenge = headerJson<Challenge>(response.headers, 'payment-required');
  for (const { amount, payTo, network } of challenge?.accepts ?? [])
    lines.push(`< PAYMENT-REQUIRED: ${usdcText(amount)} on ${network} to ${payTo}`);
  const receipt = headerJson<Receipt>(response.headers, 'payment-response');
  if (receipt)
    lines.push(`< PAYMENT-RESPONSE: success ${receipt.success}, transaction ${receipt.transaction}`);
  return lines;
}

/** The two calls of a paid MCP tool, line by line. */
export function toolLines(name: string, { challenge, answer }: ToolPurchase): string[] {
  const { accepts } = challenge.structuredContent as Challenge;
  const receipt = answer._meta?.['x402/payment-response'] as Receipt;
  return [
    `> tools/call ${name}`,
    ...accepts.map(
      ({ amount, payTo, network }) => `< payment required: ${usdcText(amount)} on ${network} to ${payTo}`,
    ),
    `> tools/call ${name} with _meta["x402/payment"]`,
    `< _meta["x402/payment-response"]: success ${receipt.success}, transaction ${receipt.transaction}`,
  ];
}
