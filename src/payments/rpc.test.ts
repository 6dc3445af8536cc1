import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RpcFailure, rpcOver } from './rpc.ts';

/** A node that answers its n-th request as told. */
type Behaviour = 'answers' | 'closes' | 'errs' | 'garbage' | 'silent';

describe('JSON-RPC calls', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function node(...behaviours: Behaviour[]): Promise<{ url: string; seen: string[] }> {
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string };
      const behaviour = behaviours[seen.push(method) - 1] ?? 'answers';
      if (behaviour === 'closes') request.socket.resetAndDestroy();
      else if (behaviour === 'garbage') response.end('<html>');
      else if (behaviour === 'errs') response.end('{"error":{"code":-32000,"message":"secret words"}}');
      else if (behaviour === 'answers') response.end(JSON.stringify({ result: `${method} done` }));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
  }

  const kindOf = (call: Promise<unknown>) =>
    call.then(
      () => 'answered well',
      (error: unknown) => (error instanceof RpcFailure ? error.kind : 'another error'),
    );

  it('repeat a read on a kept connection that the node had just closed', async () => {
    const { url, seen } = await node('answers', 'closes');
    const rpc = rpcOver([url]);
    await rpc.call('first', []);
    expect(await rpc.call('second', [])).toBe('second done');
    expect(seen).toEqual(['first', 'second', 'second']);
  });

  it('never repeat a send: it may have been taken, and a second answer would hide that', async () => {
    const { url, seen } = await node('answers', 'closes', 'errs');
    const rpc = rpcOver([url]);
    await rpc.call('first', []);
    expect(await kindOf(rpc.call('send', [], { sends: true }))).toBe('unclear');
    expect(seen).toEqual(['first', 'send']);
  });

  it('ask the next node when the first cannot be reached', async () => {
    const { url } = await node('answers');
    expect(await rpcOver(['http://127.0.0.1:1', url]).call('read', [])).toBe('read done');
  });

  it('stay unclear about a send when the next node says no', async () => {
    const [first, second] = [await node('garbage'), await node('errs')];
    expect(await kindOf(rpcOver([first.url, second.url]).call('send', [], { sends: true }))).toBe('unclear');
  });

  it('take the next node’s no for a read', async () => {
    const [first, second] = [await node('garbage'), await node('errs')];
    expect(await kindOf(rpcOver([first.url, second.url]).call('read', []))).toBe('answered');
  });

  it('say unreached only when nothing was delivered', async () => {
    expect(await kindOf(rpcOver(['http://127.0.0.1:1']).call('read', []))).toBe('unreached');
    const { url } = await node('silent');
    expect(await kindOf(rpcOver([url]).call('read', [], { deadlineMs: 50 }))).toBe('unclear');
  });

  it('say nothing of what a node said in their message', async () => {
    const { url } = await node('errs');
    const failure = await rpcOver([url])
      .call('read', [])
      .catch((error: unknown) => error);
    expect(String(failure)).not.toContain('secret');
  });
});
