import { hostName, type RedisAddress, type RedisHost } from './redis-address.ts';
import { clientOf, end } from './redis-client.ts';
import { codeOf, RedisFailure, within } from './redis-failure.ts';

// All our keys have this tag, so they share one slot, on one server of a cluster.
const TAGGED = '{paid}';

/** The server that a sentinel, or one of a cluster, names as the one that accepts our writes; else why not. */
export type WriterReply = { readonly by: RedisHost; readonly named: RedisHost | null; readonly code: string };

/** Asks all hosts of an address at once which server accepts writes. */
export const writerReplies = (address: RedisAddress, deadlineMs: number): Promise<readonly WriterReply[]> =>
  Promise.all(
    address.hosts.map(async (by): Promise<WriterReply> => {
      try {
        return { by, named: await namedBy(address, by, deadlineMs), code: '' };
      } catch (error) {
        return { by, named: null, code: codeOf(error) };
      }
    }),
  );

/**
 * The server that accepts our writes now: the one that most of those who answer name, since a sentinel that is cut off
 * still names the former one. One answer is enough. Throws a RedisFailure on a tie, and when none is named.
 */
export async function writerOf(address: RedisAddress, deadlineMs: number): Promise<RedisHost> {
  const [first] = address.hosts;
  if (address.kind === 'server' && first) return first;
  const told = await writerReplies(address, deadlineMs);
  const votes = new Map<string, { host: RedisHost; count: number }>();
  for (const { named } of told) {
    if (named === null) continue;
    const { count } = votes.get(hostName(named)) ?? { count: 0 };
    votes.set(hostName(named), { host: named, count: count + 1 });
  }
  const [most, next] = [...votes.values()].toSorted((a, b) => b.count - a.count);
  if (most === undefined) throw new RedisFailure(told.find(({ code }) => code !== '')?.code ?? 'LOST');
  if (next?.count === most.count) throw new RedisFailure('DISAGREE');
  return most.host;
}

async function namedBy(address: RedisAddress, by: RedisHost, deadlineMs: number): Promise<RedisHost | null> {
  const isSentinel = address.kind === 'sentinel';
  const client = await clientOf(address, by, { deadlineMs, isSentinel });
  client.on('error', () => undefined);
  const ask = (...words: string[]) => within(deadlineMs, client.sendCommand(words));
  try {
    await within(deadlineMs, client.connect());
    if (!isSentinel)
      return ownerOf(await ask('CLUSTER', 'SLOTS'), Number(await ask('CLUSTER', 'KEYSLOT', TAGGED)), by);
    const named = await ask('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.group ?? '');
    // It watches no group of that name.
    if (!Array.isArray(named)) throw new RedisFailure('NOGROUP');
    return { host: String(named[0]), port: Number(named[1]) };
  } finally {
    end(client);
  }
}

/** The owner of a slot by CLUSTER SLOTS, whose lines have the first and last slot, the primary, then replicas. */
function ownerOf(slots: unknown, slot: number, by: RedisHost): RedisHost | null {
  // Without a host it is the server that was asked.
  for (const [first, last, primary] of slots as [number, number, [string | null, number]][])
    if (slot >= first && slot <= last) return { host: primary[0] || by.host, port: primary[1] };
  return null;
}
