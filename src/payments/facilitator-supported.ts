import { z } from 'zod';
import type { Reply } from './facilitator-http.ts';

/**
 * Whether a settler is likely to take payments. `unasked`: not known yet. `degraded`: `reason` is why; payments are
 * handed to it all the same, since only an attempt shows.
 */
export type SettlerHealth = {
  readonly settler: string;
  readonly state: 'ok' | 'degraded' | 'unasked';
  readonly reason: 'unreached' | 'unauthorized' | 'unclear' | 'not_listed' | null;
};

export type SupportedParts = {
  readonly settler: string;
  /** CAIP-2. */
  readonly network: string;
  /** Asks `GET /supported` once; never throws. */
  readonly ask: () => Promise<Reply>;
  /** Told when the state or its reason changes. */
  readonly onChange?: (health: SettlerHealth) => void;
  /** Waits after one, two, three... failures in a row; the last one goes on. */
  readonly retryMs?: readonly number[];
  readonly renewMs?: number;
};

export type SupportedWatch = { health(): SettlerHealth; stop(): void };

const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 60_000];
const RENEW_MS = 600_000;

const shape = z.object({
  kinds: z.array(
    z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() }).partial().catch({}),
  ),
});

/** Asks in the background what a facilitator supports, again and again; nothing waits for it. */
export function watchSupported(parts: SupportedParts): SupportedWatch {
  const { settler, network, ask, onChange, retryMs = RETRY_MS, renewMs = RENEW_MS } = parts;
  let current: SettlerHealth = { settler, state: 'unasked', reason: null };
  let failures = 0;
  let isStopped = false;
  let timer = later(0);

  function later(waitMs: number): NodeJS.Timeout {
    // Never what keeps the process alive.
    return setTimeout(() => void round(), waitMs).unref();
  }

  async function round(): Promise<void> {
    const reason = faultOf(await ask(), network);
    if (isStopped) return;
    const next: SettlerHealth = { settler, state: reason === null ? 'ok' : 'degraded', reason };
    const isNews = next.state !== current.state || next.reason !== current.reason;
    current = next;
    if (isNews) onChange?.(next);
    failures = reason === null ? 0 : failures + 1;
    timer = later(reason === null ? renewMs : (retryMs[failures - 1] ?? retryMs.at(-1) ?? renewMs));
  }

  return {
    health: () => current,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

function faultOf(reply: Reply, network: string): SettlerHealth['reason'] {
  if (reply.kind !== 'answered') return reply.kind;
  if (reply.status === 401 || reply.status === 403) return 'unauthorized';
  const supported = shape.safeParse(reply.body);
  if (reply.status !== 200 || !supported.success) return 'unclear';
  const lists = supported.data.kinds.some(
    (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
  );
  return lists ? null : 'not_listed';
}
