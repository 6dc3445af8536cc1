import { codeOf, connected, end, within, writerReplies } from '../platform/redis.ts';
import { hostName, type RedisAddress, redisName } from '../platform/redis-address.ts';
import { type Check, type Finding, fail, findingsOf, ok, warn } from './finding.ts';

const DEADLINE_MS = 3_000;
const LEAST_VERSION = 7;

/** Checks that a Redis or Valkey can be trusted to remember which payments were used for which requests. */
export async function checkRedis(address: RedisAddress): Promise<readonly Finding[]> {
  const what = `REDIS_URL ${redisName(address)}`;
  const isSentinel = address.kind === 'sentinel';
  const ofSentinels = isSentinel ? await checkSentinels(what, address) : [];
  try {
    const { client, server, fact } = await connected(address, DEADLINE_MS, () => undefined);
    try {
      await within(DEADLINE_MS, client.sendCommand(['EVAL', 'return 1', '0']));
    } finally {
      end(client);
    }
    const checks = serverChecks(isSentinel ? `${what}, ${hostName(server)}` : what, fact);
    return [...ofSentinels, ...(await findingsOf(isSentinel ? checks : checks.slice(0, -1)))];
  } catch (error) {
    const says = `cannot be used (${codeOf(error)}). Check the address, user, password and TLS, and that INFO and EVAL are allowed`;
    return [...ofSentinels, { what, ...fail(says) }];
  }
}

/** Checks that all sentinels agree on the server that takes writes. */
async function checkSentinels(what: string, address: RedisAddress): Promise<readonly Finding[]> {
  const replies = await writerReplies(address, DEADLINE_MS);
  const names = new Set(replies.flatMap(({ named }) => (named === null ? [] : [hostName(named)])));
  const silent = replies.map(({ by, named, code }): Check => {
    const says = `names no server (${code}). Check its address, its password (sentinel_password) and that it watches the group`;
    return [`${what}, ${hostName(by)}`, () => (named === null ? warn(says) : null)];
  });
  const differ = `they name different servers: ${[...names].join(', ')}. If the sentinels are evenly split, no payment is accepted: check which server is the primary`;
  return findingsOf([...silent, [what, () => (names.size < 2 ? null : warn(differ))]]);
}

/** What a server must be, by its INFO. The last check is for a server with sentinels. */
function serverChecks(server: string, fact: (name: string) => string): readonly Check[] {
  const version = () => {
    const [valkey, redis] = [fact('valkey_version'), fact('redis_version')];
    const says = `answers, ${valkey === '' ? `Redis ${redis}` : `Valkey ${valkey}`}`;
    const isNewEnough = Number.parseInt(valkey || redis, 10) >= LEAST_VERSION;
    return isNewEnough ? ok(says) : fail(`${says}. Use Redis ${LEAST_VERSION} or Valkey, or newer`);
  };
  const role = () =>
    fact('role') === 'master'
      ? ok('accepts writes')
      : fail('a replica, which accepts no writes. Name the primary, or an address that fails over to it');
  const eviction = () => {
    const policy = fact('maxmemory_policy');
    if (policy === 'noeviction') return ok(policy);
    const todo = 'Set it to noeviction: if a claim is evicted, its payment could be used again';
    return ['', '0'].includes(fact('maxmemory'))
      ? warn(`${policy || 'unknown'}, without effect while maxmemory is 0. ${todo}`)
      : fail(`${policy}. ${todo}`);
  };
  const persistence = () =>
    fact('aof_enabled') === '1'
      ? ok('appendonly is on')
      : warn(
          'appendonly is off. Set appendonly yes. If Redis loses its data in a restart, a buyer who lost a reply cannot collect the answer from another instance',
        );
  // A primary that lost its replicas and sentinels still accepts claims that its successor never sees.
  const contact = () =>
    fact('min_slaves_good_slaves') !== ''
      ? ok('is set')
      : warn(
          'is 0. Set it to 1, with min-replicas-max-lag below down-after-milliseconds. Otherwise a primary that is cut off accepts payments that its successor does not know',
        );
  return [
    [server, version],
    [`${server}, role`, role],
    [`${server}, maxmemory-policy`, eviction],
    [`${server}, persistence`, persistence],
    [`${server}, min-replicas-to-write`, contact],
  ];
}
