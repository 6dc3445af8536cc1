import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createRelay } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { UNTRUSTED } from '../../../test/support/certificate.ts';
import { opened } from '../../../test/support/listening.ts';
import { RpcFailure, type RpcReport, rpcOver } from './rpc.ts';

/** A node whose n-th request has the given behavior. */
type Behaviour = 'answers' | 'closes' | 'errs' | 'garbage' | 'silent' | { status?: number; body: unknown };

const READ = 'eth_blockNumber';
const SEND = 'eth_sendRawTransaction';
const BATCH = 'a batch';
const RESULT = {
  eth_blockNumber: '0x10',
  eth_getCode: '0x60',
  eth_sendRawTransaction: `0x${'ab'.repeat(32)}`,
};

type Asked = { id: number; method: string };
const resultOf = ({ id, method }: Asked) => ({ id, result: RESULT[method as keyof typeof RESULT] ?? null });

describe('a JSON-RPC client', () => {
  const servers: Server[] = [];
  afterEach(() => {
    vi.unstubAllEnvs();
    for (const server of servers.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function node(...behaviours: Behaviour[]): Promise<{ url: string; seen: string[] }> {
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      const asked = (await json(request)) as Asked | Asked[];
      const method = 'method' in asked ? asked.method : BATCH;
      const behaviour = behaviours[seen.push(method) - 1] ?? 'answers';
      if (typeof behaviour === 'object')
        response.writeHead(behaviour.status ?? 200).end(JSON.stringify(behaviour.body));
      else if (behaviour === 'closes') request.socket.resetAndDestroy();
      else if (behaviour === 'garbage') response.end('<html>');
      else if (behaviour === 'errs')
        response.end('{"error":{"code":-32000,"message":"secret words: execution reverted"}}');
      else if (behaviour === 'answers')
        response.end(JSON.stringify('method' in asked ? resultOf(asked) : asked.toReversed().map(resultOf)));
    });
    servers.push(server);
    return { url: await opened(server), seen };
  }

  const kindOf = (call: Promise<unknown>) =>
    call.then(
      () => 'answered well',
      (error: unknown) => (error instanceof RpcFailure ? error.kind : 'another error'),
    );

  it('repeats a read if the node has just closed the reused connection', async () => {
    const { url, seen } = await node('answers', 'closes');
    const rpc = rpcOver([url]);
    await rpc.call(READ, []);
    expect(await rpc.call(READ, [])).toBe('0x10');
    expect(seen).toEqual([READ, READ, READ]);
  });

  it('never repeats a send, because the node may have accepted it and a second answer would hide that', async () => {
    const { url, seen } = await node('answers', 'closes', 'errs');
    const rpc = rpcOver([url]);
    await rpc.call(READ, []);
    expect(await kindOf(rpc.call(SEND, [], { sends: true }))).toBe('unclear');
    expect(seen).toEqual([READ, SEND]);
  });

  it('asks the next node if the first cannot be reached', async () => {
    const { url } = await node('answers');
    expect(await rpcOver(['http://127.0.0.1:1', url]).call(READ, [])).toBe('0x10');
  });

  it('remains unclear about a send if the next node refuses it', async () => {
    const [first, second] = [await node('garbage'), await node('errs')];
    expect(await kindOf(rpcOver([first.url, second.url]).call(SEND, [], { sends: true }))).toBe('unclear');
  });

  it("accepts the next node's refusal of a read", async () => {
    const [first, second] = [await node('garbage'), await node('errs')];
    expect(await kindOf(rpcOver([first.url, second.url]).call(READ, []))).toBe('answered');
  });

  it('reports unreached only if nothing was delivered', async () => {
    expect(await kindOf(rpcOver(['http://127.0.0.1:1']).call(READ, []))).toBe('unreached');
    const { url } = await node('silent');
    expect(await kindOf(rpcOver([url]).call(READ, [], { deadlineMs: 1_000 }))).toBe('unclear');
  });

  it("does not repeat a node's words in its error messages", async () => {
    const { url } = await node('errs');
    const failure = await rpcOver([url])
      .call(READ, [])
      .catch((error: unknown) => error);
    expect(String(failure)).not.toContain('secret');
  });

  const refusals: readonly (readonly [string, Behaviour])[] = [
    ['429 with an error in JSON', { status: 429, body: { error: { code: -32005, message: 'slow down' } } }],
    ['401', { status: 401, body: { error: { code: -32000, message: 'must be authenticated' } } }],
    ['403', { status: 403, body: { error: { code: -32000, message: 'execution reverted' } } }],
    ['503', { status: 503, body: { error: { code: -32011, message: 'no backend is healthy' } } }],
    ['500', { status: 500, body: { error: { code: 3, message: 'execution reverted', data: '0x' } } }],
    ['-32005', { body: { error: { code: -32005, message: 'limit exceeded' } } }],
  ];
  const troubles: readonly (readonly [string, Behaviour])[] = [
    ['-32603', { body: { error: { code: -32603, message: 'internal error' } } }],
    ['-32600', { body: { error: { code: -32600, message: 'range of blocks is too large' } } }],
    ['-32601', { body: { error: { code: -32601, message: 'the method does not exist' } } }],
    ['a block it has not seen', { body: { error: { code: -32000, message: 'header not found' } } }],
    ['no error and no result', { body: {} }],
    ['an error next to a result', { body: { result: '0x99', error: { code: -32000, message: 'no' } } }],
    ['an error of another shape', { body: { error: 'no' } }],
    ['an answer of another kind', { body: [] }],
  ];
  const shapes = [
    {},
    [],
    null,
    true,
    -1,
    16,
    '',
    '0x',
    'abc',
    '-0x1',
    '0xfg',
    `0x${'f'.repeat(65)}`,
    '0x20000000000000',
  ];

  it.each([...refusals, ...troubles])(
    'calls the next node if the first answers a read with %s',
    async (_name, fault) => {
      const [first, second] = [await node(fault), await node('answers')];
      expect(await rpcOver([first.url, second.url]).call(READ, [])).toBe('0x10');
    },
  );

  it.each(shapes)(
    'calls the next node if the first returns %j, which has the wrong shape',
    async (result) => {
      const [first, second] = [await node({ body: { result } }), await node('answers')];
      expect(await rpcOver([first.url, second.url]).call(READ, [])).toBe('0x10');
      expect(await kindOf(rpcOver([(await node({ body: { result } })).url]).call(READ, []))).toBe('unclear');
    },
  );

  it.each(['0x', `0x${'00'.repeat(31)}`, `0x${'00'.repeat(33)}`])(
    'asks the next node if the first answers %j instead of 32 bytes, because it lacks the contract',
    async (result) => {
      const state = `0x${'00'.repeat(31)}01`;
      const [first, second] = [await node({ body: { result } }), await node({ body: { result: state } })];
      const call = rpcOver([first.url, second.url]).call('eth_call', [{}, 'latest'], { bytes: 32 });
      expect(await call).toBe(state);
    },
  );

  it.each([
    { code: 3, message: 'reverted', data: '0x' },
    { code: -32000, message: 'execution reverted: FiatTokenV2: invalid signature' },
    { code: -32000, message: 'failed', data: `0x08c379a0${'00'.repeat(32)}` },
    { code: -32015, message: 'out of gas' },
  ])('accepts the verdict %j of the first node, because every node would give it', async (error) => {
    const [first, second] = [await node({ body: { error } }), await node('answers')];
    expect(await kindOf(rpcOver([first.url, second.url]).call('eth_call', [{}, 'latest']))).toBe('answered');
    expect(second.seen).toEqual([]);
  });

  it.each(refusals.filter(([name]) => name !== '500'))(
    'passes a send that a gateway rejects with %s to the next node',
    async (_name, fault) => {
      const [first, second] = [await node(fault), await node('answers')];
      expect(await rpcOver([first.url, second.url]).call(SEND, ['0x'], { sends: true })).toBe(RESULT[SEND]);
      // The error is `unreached` because no node can have received the transaction.
      expect(await kindOf(rpcOver([(await node(fault)).url]).call(SEND, [], { sends: true }))).toBe(
        'unreached',
      );
    },
  );

  it.each(troubles.filter(([name]) => name !== '-32601'))(
    'remains unclear about a send if one node answered %s and the next declined',
    async (_name, fault) => {
      const declining: Behaviour = { body: { error: { code: -32000, message: 'nonce too low' } } };
      const [first, second] = [await node(fault), await node(declining)];
      expect(await kindOf(rpcOver([first.url, second.url]).call(SEND, [], { sends: true }))).toBe('unclear');
    },
  );

  it('reports the most informative failure if no node is left', async () => {
    const [limit, method] = [
      await node(refusals[0]?.[1] as Behaviour),
      await node(troubles[2]?.[1] as Behaviour),
    ];
    const urls = ['http://127.0.0.1:1', limit.url, method.url];
    const failure = await rpcOver(urls)
      .call(SEND, [], { sends: true })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'unreached', code: -32601 });
  });

  it('asks a node that keeps failing only after the others, for ten seconds', async () => {
    let nowMs = 0;
    const [first, second] = [await node('garbage', 'garbage', 'garbage'), await node()];
    const rpc = rpcOver([first.url, second.url], () => nowMs);
    for (let count = 0; count < 20; count += 1) await rpc.call(READ, []);
    expect([first.seen.length, second.seen.length]).toEqual([3, 20]);
    nowMs = 10_000;
    await rpc.call(READ, []);
    expect([first.seen.length, second.seen.length]).toEqual([4, 20]);
  });

  it('forgets the failures of a node once it answers again', async () => {
    const [first, second] = [await node('garbage', 'garbage', 'answers', 'garbage', 'garbage'), await node()];
    const rpc = rpcOver([first.url, second.url], () => 0);
    for (let count = 0; count < 6; count += 1) await rpc.call(READ, []);
    // After two failures in a row, the node is still asked first; only a third would move it to the end.
    expect([first.seen.length, second.seen.length]).toEqual([6, 4]);
  });

  it("reports an uncertain send rather than a node's reason", async () => {
    const declining: Behaviour = { body: { error: { code: -32005, message: 'limit exceeded' } } };
    for (const order of [
      ['closes', declining],
      [declining, 'closes'],
    ] as const) {
      const nodes = [await node(order[0]), await node(order[1])];
      const urls = nodes.map(({ url }) => url);
      expect(await kindOf(rpcOver(urls).call(SEND, [], { sends: true }))).toBe('unclear');
    }
  });

  it('asks a node that keeps failing if it is the only one', async () => {
    const { url } = await node('garbage', 'garbage', 'garbage');
    const rpc = rpcOver([url]);
    for (let count = 0; count < 3; count += 1) expect(await kindOf(rpc.call(READ, []))).toBe('unclear');
    expect(await rpc.call(READ, [])).toBe('0x10');
  });

  it('makes related reads on one node, and repeats all of them on the next if it fails', async () => {
    const [first, second] = [await node('answers', 'garbage'), await node()];
    const blocks = await rpcOver([first.url, second.url]).onOneNode(async (rpc) => [
      await rpc.call(READ, []),
      await rpc.call(READ, []),
    ]);
    expect([blocks, first.seen.length, second.seen.length]).toEqual([['0x10', '0x10'], 2, 2]);
  });

  it("passes on its caller's bug and does not ask another node", async () => {
    const [first, second] = [await node(), await node()];
    const bug = new Error('a bug');
    const work = rpcOver([first.url, second.url]).onOneNode(async (rpc) => {
      await rpc.call(READ, []);
      throw bug;
    });
    await expect(work).rejects.toBe(bug);
    expect([first.seen.length, second.seen.length]).toEqual([1, 0]);
  });

  it("keeps a node's reason why a transaction cannot run", async () => {
    const data = '0x08c379a0';
    const { url } = await node({ body: { error: { code: 3, message: 'execution reverted', data } } });
    const call = rpcOver([url]).call(READ, []);
    await expect(call).rejects.toMatchObject({ code: 3, said: 'execution reverted', data });
  });

  it("reports a node's answer with a code rather than an answer without one", async () => {
    const overloaded: Behaviour = { status: 503, body: { error: { code: -32005, message: 'busy' } } };
    const [silent, coded] = [await node({ status: 503, body: '' }), await node(overloaded)];
    const call = rpcOver([silent.url, coded.url]).call(SEND, [], { sends: true });
    await expect(call).rejects.toMatchObject({ code: -32005 });
  });

  it('does not ask excluded nodes', async () => {
    const { url, seen } = await node();
    const rpc = rpcOver([url]);
    rpc.nodes[0]?.setAside(true);
    expect([await kindOf(rpc.call(READ, [])), seen]).toEqual(['unreached', []]);
    rpc.nodes[0]?.setAside(false);
    expect(await rpc.call(READ, [])).toBe('0x10');
  });

  const both = [
    { method: READ, params: [] },
    { method: 'eth_getCode', params: [] },
  ] as const;
  const result = (id: number, value: unknown) => ({ id, result: value });

  it('sends a batch as one request and returns its results in the order of the calls', async () => {
    const { url, seen } = await node();
    expect(await rpcOver([url]).batch(both)).toEqual(['0x10', '0x60']);
    expect(seen).toEqual([BATCH]);
  });

  it('ends a batch with the first call that the chain refuses', async () => {
    const reverted = { id: 0, error: { code: 3, message: 'execution reverted', data: '0x' } };
    const [first, second] = [await node({ body: [reverted, result(1, '0x60')] }), await node()];
    expect(await kindOf(rpcOver([first.url, second.url]).batch(both))).toBe('answered');
    expect(second.seen).toEqual([]);
  });

  it.each<[string, Behaviour]>([
    ['has no reply to one of them', { body: [result(0, '0x10')] }],
    ['has a reply of the wrong shape', { body: [result(0, '0x10'), result(1, 'code')] }],
    ['contains nulls', { body: [null, result(1, '0x60')] }],
    ['is one result for all of them', { body: result(0, '0x10') }],
    ['is not JSON', 'garbage'],
    ['says that the node is too busy', { status: 429, body: { error: { code: -32005, message: 'limit' } } }],
  ])('repeats a batch on the next node if the answer of the first %s', async (_what, behaviour) => {
    const [first, second] = [await node(behaviour), await node()];
    expect(await rpcOver([first.url, second.url]).batch(both)).toEqual(['0x10', '0x60']);
    expect([first.seen, second.seen]).toEqual([[BATCH], [BATCH]]);
  });

  it('reports a batch as unreached if no node received it', async () => {
    expect(await kindOf(rpcOver(['http://127.0.0.1:1']).batch(both))).toBe('unreached');
  });

  it('sends single requests for ten minutes to a node that refuses batches', async () => {
    let nowMs = 0;
    const refused: Behaviour = { status: 400, body: { error: { code: -32600, message: 'no batches' } } };
    const { url, seen } = await node(refused);
    const rpc = rpcOver([url], () => nowMs);
    for (let count = 0; count < 2; count += 1) expect(await rpc.batch(both)).toEqual(['0x10', '0x60']);
    expect(seen.map((method) => method === BATCH)).toEqual([true, false, false, false, false]);
    nowMs = 600_000;
    await rpc.batch(both);
    expect(seen.at(-1)).toBe(BATCH);
  });

  it('tries a batch again if the node refused the single requests, too', async () => {
    const refused: Behaviour = { status: 500, body: { error: { code: -32000, message: 'internal' } } };
    const { url, seen } = await node(refused, refused, refused);
    const rpc = rpcOver([url]);
    expect(await kindOf(rpc.batch(both))).toBe('unclear');
    expect(await rpc.batch(both)).toEqual(['0x10', '0x60']);
    expect([seen[0], seen[3]]).toEqual([BATCH, BATCH]);
  });

  it('reports each call with its node, its result and whether it sends', async () => {
    const [first, second] = [await node('garbage', 'errs', { body: { result: 'no number' } }), await node()];
    const reports: unknown[] = [];
    const told = ({ node, end, sends }: RpcReport) => reports.push([node, end, sends]);
    const rpc = rpcOver([first.url, second.url], Date.now, told);
    await rpc.call(READ, []);
    await kindOf(rpc.call(SEND, ['0x'], { sends: true }));
    await rpc.call(READ, []);
    expect(reports).toEqual([
      [0, 'broken', false],
      [1, 'result', false],
      [0, 'error', true],
      [1, 'result', true],
      [0, 'broken', false],
      [1, 'result', false],
    ]);
  });

  it('does not ask another node once its caller no longer wants the answer', async () => {
    const [first, second] = [await node('garbage'), await node()];
    const rpc = rpcOver([first.url, second.url]);
    const mayAsk = () => first.seen.length === 0;
    expect(await kindOf(rpc.call(SEND, ['0x'], { sends: true, mayAsk }))).toBe('unclear');
    expect([first.seen.length, second.seen.length]).toEqual([1, 0]);
    expect(await kindOf(rpc.call(READ, [], { mayAsk }))).toBe('unreached');
  });

  it('sends nothing if its caller has lost interest by the time a connection is open', async () => {
    const { url, seen } = await node();
    let isWanted = true;
    const call = rpcOver([url]).call(SEND, ['0x'], { sends: true, mayAsk: () => isWanted });
    isWanted = false;
    expect([await kindOf(call), seen.length]).toEqual(['unreached', 0]);
  });

  it('sends nothing if its caller has lost interest by the time a connection over TLS is secure', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const seen: string[] = [];
    const secure = createSecureServer(UNTRUSTED, ({ method = '' }, response) => {
      seen.push(method);
      response.setHeader('connection', 'close').end(JSON.stringify({ result: RESULT[SEND] }));
    });
    servers.push(secure);
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    // Lets the first bytes of a handshake through when `release` is called.
    let release = () => {};
    const relay = createRelay((socket) => {
      socket.once('data', (hello) => {
        release = () => {
          const onward = connect((secure.address() as AddressInfo).port, '127.0.0.1');
          onward.write(hello);
          socket.pipe(onward).pipe(socket);
        };
        socket.pause();
      });
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const rpc = rpcOver([`https://127.0.0.1:${(relay.address() as AddressInfo).port}`]);
    for (const isWantedThen of [true, false]) {
      let isWanted = true;
      const held = release;
      const call = kindOf(rpc.call(SEND, ['0x'], { sends: true, mayAsk: () => isWanted }));
      await vi.waitFor(() => expect(release).not.toBe(held));
      isWanted = isWantedThen;
      release();
      expect([await call, seen.length]).toEqual([isWantedThen ? 'answered well' : 'unreached', 1]);
    }
    relay.close();
  });

  it('does not trust a result with a status of 400 or more', async () => {
    for (const [status, end] of [
      [400, 'unclear'],
      [399, 'answered well'],
    ] as const) {
      const { url } = await node({ status, body: { result: '0x10' } });
      expect(await kindOf(rpcOver([url]).call(READ, []))).toBe(end);
    }
  });
});
