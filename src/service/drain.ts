import type { HttpServer } from '../platform/http-server.ts';

// A facilitator has 25 s and the chain 4 more: with less time a buyer would lose an answer that was paid for.
const DRAIN_MS = 30_000;

/** Waits for all requests and purchases to end; false when they did not in time. */
export async function drained(server: HttpServer, drainPurchases: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  // A purchase whose buyer has disconnected has no connection, and may have been the last one to start.
  const ended = Promise.all([server.drain(), drainPurchases()]).then(drainPurchases);
  const complete = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return complete;
}
