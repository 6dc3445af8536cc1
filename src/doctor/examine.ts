import { existsSync, statSync } from 'node:fs';
import type { Operation } from '../catalog/operation.ts';
import { isLoopback, isPrivateChannel } from '../config/address.ts';
import { type Config, callerSecretOf } from '../config/config.ts';
import { type Day, longDayText, utcDay } from '../domain/calendar.ts';
import { areRatesEnding, ratesHeldUntil } from '../domain/statutory-rates.ts';
import { createCatalog } from '../operations/catalog.ts';
import { type FacilitatorHttp, facilitatorHttp } from '../payments/facilitator/http.ts';
import {
  type Facilitator,
  type FacilitatorChoice,
  facilitatorOf,
} from '../payments/facilitator/known-facilitators.ts';
import { supportedFault } from '../payments/facilitator/messages.ts';
import type { SettlerFault } from '../payments/failover.ts';
import { ENV_FILE } from '../platform/command-line.ts';
import { originOnly } from '../platform/log.ts';
import {
  addressOf,
  codeOf,
  connected,
  end,
  hostName,
  type RedisAddress,
  redisName,
  within,
} from '../platform/redis.ts';
import { readDirectory } from '../service/directory.ts';
import { checkChain } from './chain-checks.ts';
import { checkAddress, checkDeployment } from './deployment-checks.ts';
import { type Check, type Finding, fail, findingsAfter, findingsOf, ok, warn } from './finding.ts';

export type ExamineOptions = {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The day for which the reference rates are checked. */
  readonly today?: Day;
  /** Where and how to call a hosted settler. */
  readonly facilitator?: (choice: FacilitatorChoice) => Facilitator;
};

/**
 * Checks everything that valid settings name, in the order that a payment uses it, and sends nothing. `tell` gets each
 * group of findings as soon as it is known.
 */
export async function examine(
  config: Config,
  tell: (findings: readonly Finding[]) => void,
  options: ExamineOptions = {},
): Promise<void> {
  const { now = Date.now } = options;
  const { cdpApiKey, network, settlers } = config;
  const { facilitator = (choice: FacilitatorChoice) => facilitatorOf(choice, { cdpApiKey, now }) } = options;
  const redis = config.redisUrl === null ? null : addressOf(config.redisUrl.reveal());
  let operations: readonly Operation[] = [];
  const directory = () => {
    operations = createCatalog(readDirectory(now()));
    return ok('can be served');
  };
  tell(await findingsOf([['Directory of tools', directory]]));
  const isEmbedded = settlers.some(({ kind }) => kind === 'embedded');
  if (isEmbedded)
    tell(
      await findingsOf([
        ['SETTLERS embedded', () => warn(PLAY_MONEY)],
        ['Embedded chain', embeddedChain],
      ]),
    );
  else {
    tell(settingFindings(config, redis));
    tell(await checkChain(config, now));
  }
  for (const [index, choice] of settlers.entries()) {
    if (choice.kind === 'embedded' || choice.kind === 'local') continue;
    const name = choice.kind === 'facilitator' ? `facilitator_${index + 1}` : choice.kind;
    tell(await checkFacilitator(name, facilitator(choice), network.caip2));
  }
  if (redis !== null) tell(await checkRedis(redis));
  const address = await checkAddress(config);
  tell([address]);
  if (address.isOurs && !isEmbedded) tell(await checkDeployment(config, operations));
  const today = options.today ?? utcDay(now());
  tell(
    await findingsOf([
      ['Statutory reference rates', () => rates(today)],
      ['.env', () => envFile()],
    ]),
  );
}

/** Settings that are valid, but lose money, answers or safety. */
function settingFindings(config: Config, redis: RedisAddress | null): readonly Finding[] {
  const { production, rpcUrls, publicBaseUrl, trustedProxies } = config;
  const nodes = rpcUrls.map((url) => url.reveal()).filter((url) => !isPrivateChannel(new URL(url)));
  const isPlain = redis !== null && !redis.isEncrypted && !redis.hosts.every(({ host }) => isLoopback(host));
  const plain = [...nodes.map(originOnly), ...(isPlain ? [redisName(redis)] : [])];
  const sharesSecret = redis === null || callerSecretOf(config) !== null;
  // The service speaks plain http, so a proxy has to terminate TLS.
  const knowsProxy = !publicBaseUrl.startsWith('https:') || trustedProxies.length > 0;
  const rows: readonly (readonly [what: string, isFine: boolean, says: string])[] = [
    ['NODE_ENV', production, 'not production. Set it to production, which refuses play money and plain http'],
    [
      'RPC_URLS',
      rpcUrls.length > 0,
      'none. Set a node. Without one, the service trusts facilitators and checks nothing on the chain',
    ],
    [
      'REDIS_URL',
      !production || redis !== null,
      'none, so a restart loses the paid answers that were not collected yet. Set it, or see docs/scale.md',
    ],
    [
      'RECEIPT_KEYS',
      sharesSecret,
      'none, and no other secret that all instances share, so each process counts callers’ requests separately. Set the same key on every instance',
    ],
    [
      'TRUSTED_PROXIES',
      knowsProxy,
      'none, although TLS ends at a proxy, so all callers share the limits of its address. Set the addresses from which the proxy connects',
    ],
    // In production, connections without encryption exist only on private networks.
    [
      'TLS',
      plain.length === 0,
      `${plain.join(', ')} without TLS. Anyone on the network path can forge the answers`,
    ],
  ];
  return rows.flatMap(([what, isFine, says]) => (isFine ? [] : [{ what, ...warn(says) }]));
}

const PLAY_MONEY =
  'PLAY MONEY: payments settle on a chain in this process and are worth nothing. Real USDC cannot be paid to it. To be paid, set SETTLERS, PAY_TO and what they need (.env.example)';

async function embeddedChain() {
  const { startChain } = await import('../devnet/chain.ts');
  const chain = await startChain();
  await chain.stop();
  return ok(`starts, within ${chain.bootMs} ms`);
}

const troubles: Readonly<Partial<Record<SettlerFault, string>>> = {
  unreached: 'cannot be reached. Check the address in SETTLERS and the network',
  unauthorized:
    'rejects our key. Check the key: CDP_API_KEY_ID and CDP_API_KEY_SECRET, or the one in the URL',
  unclear:
    'does not list what it supports. Check that the address in SETTLERS belongs to an x402 facilitator',
  not_listed: 'does not list scheme exact on NETWORK. It would reject payments; use another settler',
};
const FACILITATOR_DEADLINE_MS = 10_000;

/** Checks that a facilitator settles on our network (CAIP-2), and that it accepts our key, if there is one. */
function checkFacilitator(
  name: string,
  facilitator: Facilitator,
  network: string,
): Promise<readonly Finding[]> {
  const what = `${name} ${originOnly(facilitator.url)}`;
  const http = facilitatorHttp(facilitator);
  const lists = async () => {
    const fault = supportedFault(await http.get('/supported', FACILITATOR_DEADLINE_MS), network);
    return fault === null
      ? ok(`lists scheme exact on ${network}`)
      : fail(troubles[fault] ?? `${fault}. Use a different settler`);
  };
  // An empty payment can move no money. Every facilitator rejects it, but only a caller with a valid key gets that far.
  const statusOf = async (caller: FacilitatorHttp) => {
    const reply = await caller.post('/verify', '{}', FACILITATOR_DEADLINE_MS);
    return reply.kind === 'answered' ? reply.status : null;
  };
  const isRefused = (status: number | null) => status === 401 || status === 403;
  const key = async () => {
    const ours = await statusOf(http);
    if (isRefused(ours))
      return fail('rejected. Check CDP_API_KEY_ID, CDP_API_KEY_SECRET and the permissions of the key');
    if (ours !== null && ours < 500 && isRefused(await statusOf(facilitatorHttp({ url: facilitator.url }))))
      return ok('taken');
    return warn(
      'it is not known whether the key is accepted. Look in the log for settlement lines from this settler',
    );
  };
  return findingsAfter([what, lists], facilitator.headers === undefined ? [] : [[`${what}, key`, key]]);
}

/** Checks that statutory interest can be calculated for debts of the near future. */
function rates(today: Day) {
  const held = `known until ${longDayText(ratesHeldUntil())}`;
  if (!areRatesEnding(today)) return ok(held);
  return warn(
    `${held} only. Add the next half-year to REFERENCE_RATES, or install a newer release. Until then, answers use the last known rate and say that it may be out of date`,
  );
}

/** Checks that only the owner of the file with the keys can read it. Windows has no permission bits for this. */
export function envFile(file: string = ENV_FILE) {
  if (process.platform === 'win32' || !existsSync(file)) return null;
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return ok('only its owner can read it');
  return warn(`others on this machine can read it (mode ${mode.toString(8)}). It holds keys: chmod 600 .env`);
}

const DEADLINE_MS = 3_000;
const LEAST_VERSION = 7;

/** Checks that a Redis or Valkey can be trusted to remember which payments were used for which requests. */
async function checkRedis(address: RedisAddress): Promise<readonly Finding[]> {
  const what = `REDIS_URL ${redisName(address)}`;
  const isSentinel = address.kind === 'sentinel';
  try {
    const { client, server, fact } = await connected(address, DEADLINE_MS, () => undefined);
    try {
      await within(DEADLINE_MS, client.sendCommand(['EVAL', 'return 1', '0']));
    } finally {
      end(client);
    }
    const checks = serverChecks(isSentinel ? `${what}, ${hostName(server)}` : what, fact);
    return await findingsOf(isSentinel ? checks : checks.slice(0, -1));
  } catch (error) {
    const says = `cannot be used (${codeOf(error)}). Check the address, user, password and TLS, and that INFO and EVAL are allowed`;
    return [{ what, ...fail(says) }];
  }
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
