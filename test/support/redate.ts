import { rpc } from '../../src/devnet/chain-rpc.ts';
import type { RpcProxy } from './rpc-proxy.ts';

/** Makes a node report a different time for its newest block than the chain has, both in seconds. */
export async function redate(
  node: RpcProxy,
  chainUrl: string,
  to: (seconds: number) => number,
): Promise<void> {
  const block = await rpc<{ timestamp: string }>(chainUrl, 'eth_getBlockByNumber', 'latest', false);
  const timestamp = `0x${to(Number(block.timestamp)).toString(16)}`;
  node.fail('eth_getBlockByNumber', 'lie', { result: { ...block, timestamp } });
}
