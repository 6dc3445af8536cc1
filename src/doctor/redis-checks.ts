import { clientOf, codeOf, end, within, writerOf, writerReplies } from '../platform/redis.ts';
import { hostName, type RedisAddress, redisAddress, redisName } from '../platform/redis-address.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const DEADLINE_MS = 3_000;
const LEAST_VERSION = 7;

/** Checks that a Redis or Valkey can be trusted to remember which payments were used for which requests. */
export async function checkRedis(url: string): Promise<readonly Finding[]> {
  const address = redisAddress(url);
  if (typeof address === 'string') return [fail('REDIS_URL', address, 'Correct it (.env.example)')];
  const what = `REDIS_URL ${redisName(address)}`;
  const told = address.kind === 'server' ? [] : await checkNamings(what, address);
  try {
    const server = await writerOf(address, DEADLINE_MS);
    const name = address.kind === 'server' ? what : `${what}, ${hostName(server)}`;
    const client = await clientOf(address, server, { deadlineMs: DEADLINE_MS });
    // The pending command reports a broken connection.
    client.on('error', () => undefined);
    const ask = (...words: string[]) => within(DEADLINE_MS, client.sendCommand(words));
    try {
      await within(DEADLINE_MS, client.connect());
      const facts = factsOf(String(await ask('INFO')));
      await ask('EVAL', 'return 1', '0');
      const of = [version, role, eviction, persistence].map((check) => check(name, facts));
      return [...told, ...of, ...(address.kind === 'sentinel' ? [cutOff(name, facts)] : [])];
    } finally {
      end(client);
    }
  } catch (error) {
    const says = `cannot be used (${codeOf(error)})`;
    const todo = 'Check the address, user, password and TLS, and that INFO and EVAL are allowed';
    return [...told, fail(what, says, todo)];
  }
}

/** Checks that all sentinels agree on the server that takes writes. */
async function checkNamings(what: string, address: RedisAddress): Promise<readonly Finding[]> {
  const told = await writerReplies(address, DEADLINE_MS);
  const silent = told.filter(({ named }) => named === null);
  const names = new Set(told.flatMap(({ named }) => (named === null ? [] : [hostName(named)])));
  const away = silent.map(({ by, code }) =>
    warn(
      `${what}, ${hostName(by)}`,
      `names no server (${code})`,
      'Check its address, its password (sentinel_password) and that it watches the group',
    ),
  );
  if (names.size < 2) return away;
  const says = `they name different servers: ${[...names].join(', ')}`;
  return [
    ...away,
    warn(
      what,
      says,
      'If the sentinels are evenly split, no payment is accepted: check which server is the primary',
    ),
  ];
}

/** A primary that lost its replicas and sentinels still accepts claims that its successor never sees. */
function cutOff(server: string, fact: Facts): Finding {
  const what = `${server}, min-replicas-to-write`;
  if (fact('min_slaves_good_slaves') !== '') return ok(what, 'is set');
  return warn(
    what,
    'is 0',
    'Set it to 1, with min-replicas-max-lag below down-after-milliseconds. Otherwise a primary that is cut off accepts payments that its successor does not know',
  );
}

type Facts = (name: string) => string;

const factsOf =
  (info: string): Facts =>
  (name) =>
    new RegExp(`^${name}:([^\\r\\n]*)`, 'm').exec(info)?.[1] ?? '';

function version(what: string, fact: Facts): Finding {
  const valkey = fact('valkey_version');
  const redis = fact('redis_version');
  const says = `answers, ${valkey === '' ? `Redis ${redis}` : `Valkey ${valkey}`}`;
  return Number.parseInt(valkey || redis, 10) >= LEAST_VERSION
    ? ok(what, says)
    : fail(what, says, `Use Redis ${LEAST_VERSION} or Valkey, or newer`);
}

function role(server: string, fact: Facts): Finding {
  const what = `${server}, role`;
  return fact('role') === 'master'
    ? ok(what, 'accepts writes')
    : fail(
        what,
        'a replica, which accepts no writes',
        'Name the primary, or an address that fails over to it',
      );
}

function eviction(server: string, fact: Facts): Finding {
  const what = `${server}, maxmemory-policy`;
  const policy = fact('maxmemory_policy');
  if (policy === 'noeviction') return ok(what, policy);
  const todo = 'Set it to noeviction: if a claim is evicted, its payment could be used again';
  return ['', '0'].includes(fact('maxmemory'))
    ? warn(what, `${policy || 'unknown'}, without effect while maxmemory is 0`, todo)
    : fail(what, policy, todo);
}

function persistence(server: string, fact: Facts): Finding {
  const what = `${server}, persistence`;
  if (fact('aof_enabled') === '1') return ok(what, 'appendonly is on');
  return warn(
    what,
    'appendonly is off',
    'Set appendonly yes. If Redis loses its data in a restart, a buyer who lost a reply cannot collect the answer from another instance',
  );
}
