export type RpcCall = readonly [method: string, ...params: unknown[]];

type RpcAnswer = { id: number; result?: unknown; error?: { message: string } };

const post = async (rpcUrl: string, body: unknown): Promise<unknown> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return response.json();
};

const request = ([method, ...params]: RpcCall, id: number) => ({ jsonrpc: '2.0', id, method, params });

const unwrap = (answer: RpcAnswer | undefined): unknown => {
  if (!answer) throw new Error('The node did not answer a call of the batch');
  if (answer.error) throw new Error(answer.error.message);
  return answer.result;
};

/** One JSON-RPC call to a local node, within 10 seconds. Throws if the node rejects it. */
export const rpc = async <Result = unknown>(rpcUrl: string, ...call: RpcCall): Promise<Result> =>
  unwrap((await post(rpcUrl, request(call, 1))) as RpcAnswer) as Result;

/**
 * Several calls in one round trip, results in the order of the calls. The node may run them in any order, so dependent
 * calls belong in separate batches. Throws if any of them is rejected.
 */
export const rpcBatch = async (rpcUrl: string, calls: readonly RpcCall[]): Promise<unknown[]> => {
  const answers = (await post(rpcUrl, calls.map(request))) as RpcAnswer[];
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return calls.map((_, index) => unwrap(byId.get(index)));
};
