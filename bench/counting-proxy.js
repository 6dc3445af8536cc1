import { createServer, request } from 'node:http';

/** Passes JSON-RPC calls to a node and counts them. @param {string} target */
export async function countingProxy(target) {
  let calls = 0;
  const server = createServer((incoming, outgoing) => {
    calls += 1;
    const { method, headers } = incoming;
    const onward = request(target, { method, headers }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    calls: () => calls,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
