import type { HttpServer } from '../platform/http-server.ts';

// A facilitator has 25 s and the chain 4 more: cut off before, a buyer would lose an answer that was paid for.
const DRAIN_MS = 30_000;

/** Whether every request and every purchase has come to its end in time. */
export async function drained(server: HttpServer, drainPurchases: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), DRAIN_MS);
  });
  // A buyer who hangs up leaves a purchase without a connection: it may have been the last one to begin.
  const ended = Promise.all([server.drain(), drainPurchases()]).then(drainPurchases);
  const complete = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return complete;
}
