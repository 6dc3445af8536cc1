import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { opened } from '../../support/listening.ts';

/**
 * What happens to a payment on its way: the request is lost, the reply is lost or cut in half, or the reply is held
 * until the test releases it.
 */
export type Mishap = 'request lost' | 'reply lost' | 'reply cut' | 'reply held';

/** A proxy between a browser and the service, for engines whose traffic cannot be changed otherwise. */
export type LosingProxy = {
  readonly url: string;
  /** The PAYMENT-SIGNATURE of each payment that a page sent, in order. */
  readonly payments: readonly string[];
  /** Every request for an answer, paid or not. */
  readonly asked: readonly string[];
  /** Every address requested since the proxy started. */
  readonly addresses: readonly string[];
  /** What happens to later payments; null if nothing happens. */
  meet(mishap: Mishap | null): void;
  /** Resets the counts. */
  startOver(): void;
  stop(): void;
};

export async function losingProxy(serviceUrl: string): Promise<LosingProxy> {
  const payments: string[] = [];
  const asked: string[] = [];
  const addresses: string[] = [];
  let mishap: Mishap | null = null;
  let letGo = () => {};
  let held = Promise.resolve();
  const server = createServer((incoming, outgoing) => {
    const payment = incoming.headers['payment-signature'];
    addresses.push(incoming.url ?? '');
    if (incoming.url?.startsWith('/v1/')) asked.push(incoming.url);
    if (payment !== undefined) payments.push(String(payment));
    const meets = payment === undefined ? null : mishap;
    if (meets === 'request lost') outgoing.destroy();
    else pass(serviceUrl, incoming, outgoing, meets, () => held);
  });
  const url = await opened(server);
  return {
    url,
    payments,
    asked,
    addresses,
    meet(next) {
      letGo();
      mishap = next;
      if (next === 'reply held')
        held = new Promise((resolve) => {
          letGo = resolve;
        });
    },
    startOver() {
      payments.length = 0;
      asked.length = 0;
    },
    stop() {
      letGo();
      server.close();
      server.closeAllConnections();
    },
  };
}

function pass(
  serviceUrl: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  meets: Mishap | null,
  held: () => Promise<void>,
): void {
  const { method, headers, url = '/' } = incoming;
  const onward = request(new URL(url, serviceUrl), { method, headers }, async (reply) => {
    const parts: Buffer[] = [];
    for await (const part of reply) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    if (meets === 'reply held') await held();
    if (meets === 'reply lost') {
      outgoing.destroy();
      return;
    }
    // A script that an earlier tab has cached would not be requested, so it could not be lost.
    const kept = url.includes('/islands/') ? { 'cache-control': 'no-store' } : {};
    outgoing.writeHead(reply.statusCode ?? 502, { ...reply.headers, ...kept });
    if (meets === 'reply cut') outgoing.write(body.subarray(0, 1), () => outgoing.destroy());
    else outgoing.end(body);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
