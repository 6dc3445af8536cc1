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
