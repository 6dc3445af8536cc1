import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

type Required = Parameters<x402Client['createPaymentPayload']>[0];
export type ToolResult = {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
};
/** What an agent sees of one paid tool call: the challenge, then the answer with its receipt. */
export type ToolPurchase = { readonly challenge: ToolResult; readonly answer: ToolResult };

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
