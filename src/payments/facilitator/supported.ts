import { z } from 'zod';
import {
  type SettlerFault,
  type SettlerWatch,
  type SettlerWatchParts,
  watchSettler,
} from '../settler-watch.ts';
import type { Reply } from './http.ts';

export type SupportedParts = Omit<SettlerWatchParts, 'ask'> & {
  /** CAIP-2. */
  readonly network: string;
  /** Asks `GET /supported` once; never throws. */
  readonly ask: () => Promise<Reply>;
  /** Checks the chain behind the facilitator once the facilitator itself is fine. */
  readonly askChain?: (() => Promise<SettlerFault | null>) | undefined;
};

const shape = z.object({
  kinds: z.array(
    z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() }).partial().catch({}),
  ),
});

/** Repeatedly checks in the background what a facilitator supports; nothing waits for it. */
export function watchSupported({ ask, network, askChain, ...rest }: SupportedParts): SettlerWatch {
  return watchSettler({
    ...rest,
    ask: async () => supportedFault(await ask(), network) ?? (await askChain?.()) ?? null,
  });
}

/** Why a facilitator with this answer to `GET /supported` cannot settle on a network (CAIP-2); null if it can. */
export function supportedFault(reply: Reply, network: string): SettlerFault | null {
  if (reply.kind !== 'answered') return reply.kind;
  if (reply.status === 401 || reply.status === 403) return 'unauthorized';
  const supported = shape.safeParse(reply.body);
  if (reply.status !== 200 || !supported.success) return 'unclear';
  const lists = supported.data.kinds.some(
    (kind) => kind.x402Version === 2 && kind.scheme === 'exact' && kind.network === network,
  );
  return lists ? null : 'not_listed';
}
