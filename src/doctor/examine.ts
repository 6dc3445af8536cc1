import { existsSync, statSync } from 'node:fs';
import { formatEther } from 'viem/utils';
import { z } from 'zod';
import { isLoopback, isPrivateChannel } from '../config/address.ts';
import { type Config, callerSecretOf } from '../config/config.ts';
import { type Day, longDayText, utcDay } from '../domain/calendar.ts';
import { areRatesEnding, ratesHeldUntil } from '../domain/statutory-rates.ts';
import lateFee from '../operations/late-fee.ts';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import { LOOKBACK_BLOCKS } from '../payments/chain/chain-witness.ts';
import { RPC_DEADLINE_MS, type Rpc, RpcFailure, rpcOver } from '../payments/chain/rpc.ts';
import type { RpcBlock } from '../payments/chain/rpc-node.ts';
import { CANCELED_TOPIC, isBlacklisted, isOurs, isPaused, USED_TOPIC } from '../payments/chain/usdc.ts';
import { facilitatorHttp } from '../payments/facilitator/http.ts';
import {
  type Facilitator,
  type FacilitatorChoice,
  facilitatorOf,
  settlerName,
} from '../payments/facilitator/known-facilitators.ts';
import { supportedFault } from '../payments/facilitator/messages.ts';
import { readFunds } from '../payments/local/gas.ts';
import type { PaymentRequired } from '../payments/x402/challenge.ts';
import { type Hex, MAX_PAYMENT_CHARACTERS } from '../payments/x402/payment.ts';
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
import { StartFault } from '../platform/start-fault.ts';
import { exampleTarget } from '../surfaces/discovery/inputs.ts';

type Verdict = { readonly verdict: 'ok' | 'warn' | 'FAIL'; readonly says: string };

/** The result of one check, for a terminal. `says` includes what to do about it, and no part holds a secret. */
export type Finding = Verdict & { readonly what: string };

export const ok = (says: string): Verdict => ({ verdict: 'ok', says });
export const warn = (says: string): Verdict => ({ verdict: 'warn', says });
const fail = (says: string): Verdict => ({ verdict: 'FAIL', says });

/** A finding as one line. */
export const lineOf = ({ verdict, what, says }: Finding): string => `${verdict.padEnd(4)}  ${what}: ${says}.`;

export type ExamineOptions = {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** The day for which the reference rates are checked. */
  readonly today?: Day;
  /** Where and how to call a hosted settler. */
  readonly facilitator?: (choice: FacilitatorChoice) => Facilitator;
};

/**
 * Checks everything that valid settings name, in the order that a payment uses it, and sends nothing. It leaves out
 * the directory of tools, which the service checks when it starts.
 */
export async function* examine(
  config: Config,
  {
    now = Date.now,
    today = utcDay(now()),
    facilitator = (choice) => facilitatorOf(choice, { cdpApiKey: config.cdpApiKey, now }),
  }: ExamineOptions = {},
): AsyncGenerator<Finding> {
  const { network, settlers } = config;
  const redis = config.redisUrl === null ? null : addressOf(config.redisUrl.reveal());
  const isEmbedded = settlers.some(({ kind }) => kind === 'embedded');
  if (isEmbedded) {
    yield {
      what: 'SETTLERS embedded',
      ...warn(
        'PLAY MONEY: payments are worth nothing. Real USDC cannot be paid to it. To be paid, set SETTLERS, PAY_TO and what they need (.env.example)',
      ),
    };
    yield { what: 'Embedded chain', ...(await embeddedChain()) };
  } else {
    yield* settingFindings(config, redis);
    yield* chainFindings(config, now);
  }
  for (const [index, choice] of settlers.entries()) {
    if (choice.kind === 'embedded' || choice.kind === 'local') continue;
    yield* facilitatorFindings(settlerName(choice, index), facilitator(choice), network.caip2);
  }
  if (redis !== null) yield* redisFindings(redis);
  yield* addressFindings(config, isEmbedded);
  yield { what: 'Statutory reference rates', ...rates(today) };
  const file = envFile();
  if (file !== null) yield { what: '.env', ...file };
}

async function embeddedChain(): Promise<Verdict> {
  try {
    const { startChain } = await import('../devnet/chain.ts');
    await (await startChain()).stop();
    return ok('starts');
  } catch (error) {
    return fail(error instanceof StartFault ? error.message.replace(/\.$/, '') : 'does not start');
  }
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
  const gaps: Readonly<Record<string, string | false>> = {
    RPC_URLS:
      rpcUrls.length === 0 &&
      'none. Set a node. Without one, the service trusts facilitators and checks nothing on the chain',
    REDIS_URL:
      production &&
      redis === null &&
      'none, so a restart loses the paid answers that were not collected yet. Set it, or see docs/scale.md',
    RECEIPT_KEYS:
      !sharesSecret &&
      'none, and no other secret that all instances share, so each process counts callers’ requests separately. Set the same key on every instance',
    TRUSTED_PROXIES:
      !knowsProxy &&
      'none, although TLS ends at a proxy, so all callers share the limits of its address. Set the addresses from which the proxy connects',
    // In production, connections without encryption exist only on private networks.
    TLS:
      plain.length > 0 && `${plain.join(', ')} without TLS. Anyone on the network path can forge the answers`,
  };
  return Object.entries(gaps).flatMap(([what, says]) => (says === false ? [] : [{ what, ...warn(says) }]));
}

// How far a clock may be off: a buyer has 120 s to pay, and an authorization must be valid for 6 s more.
const SKEW_SECONDS = 15;
const MOST_SKEW_SECONDS = 60;

/** Checks the nodes, and through the first one of the right chain USDC and the accounts. */
async function* chainFindings(config: Config, now: () => number): AsyncGenerator<Finding> {
  const { chainId, caip2, usdc, usdcName: assetName, usdcVersion: assetVersion } = config.network;
  let usable: Rpc | null = null;
  for (const [index, url] of config.rpcUrls.entries()) {
    const what = `RPC ${index + 1} ${originOnly(url.reveal())}`;
    const rpc = rpcOver([url.reveal()]);
    const chain = async () =>
      (await isOurs(rpc, { chainId, asset: usdc, assetName, assetVersion }))
        ? ok(`chain ${chainId}, as NETWORK says, with the USDC that buyers sign for`)
        : fail(
            `is not of ${caip2} (NETWORK), or has a different contract at ${usdc}. Change RPC_URLS or NETWORK: no payment could be accepted`,
          );
    const clock = async () => {
      const head = await rpc.call<RpcBlock>('eth_getBlockByNumber', ['latest', false]);
      const ageSeconds = Math.round(now() / 1000 - Number(head.timestamp));
      const says = `block ${Number(head.number)} is ${ageSeconds} s old by this machine's clock`;
      if (Math.abs(ageSeconds) <= SKEW_SECONDS) return ok(says);
      const judge = Math.abs(ageSeconds) <= MOST_SKEW_SECONDS ? warn : fail;
      return judge(`${says}. Set this machine's clock, or use a node that is up to date`);
    };
    // The query that finds a settlement that another party submitted.
    const logs = async () => {
      const head = Number(await rpc.call<Hex>('eth_blockNumber', []));
      const fromBlock = `0x${Math.max(0, head - LOOKBACK_BLOCKS).toString(16)}`;
      const nobody = `0x${'00'.repeat(32)}`;
      const topics = [[USED_TOPIC, CANCELED_TOPIC], nobody, nobody];
      await rpc.call('eth_getLogs', [{ address: usdc, fromBlock, toBlock: 'latest', topics }]);
      return ok(`answers over ${LOOKBACK_BLOCKS} blocks`);
    };
    const identity = await found(what, chain, 'Check the host, path and key of this entry in RPC_URLS');
    yield identity;
    if (identity.verdict !== 'ok') continue;
    usable ??= rpc;
    yield await found(`${what}, clock`, clock, 'The latest block must be readable');
    const todo = `Use a node or plan that answers it for ${LOOKBACK_BLOCKS} blocks. Otherwise a payment that someone else submitted stays pending`;
    yield await found(`${what}, eth_getLogs`, logs, todo);
  }
  if (usable !== null) yield* accountFindings(usable, config);
}

/** Checks that USDC is not paused, that the payee may receive it, and that the relayer can pay for gas. */
async function* accountFindings(
  rpc: Rpc,
  { network: { usdc }, payTo, relayer, settlers }: Config,
): AsyncGenerator<Finding> {
  const needed = 'Without this answer no payment can be checked';
  const paused = async () =>
    (await isPaused(rpc, usdc)) ? fail('yes. Payments get 503 until its issuer unpauses it') : ok('no');
  yield await found(`USDC ${usdc}, paused`, paused, needed);
  const payee = async (account: Hex) =>
    (await isBlacklisted(rpc, usdc, account))
      ? fail('blacklisted by USDC. Use a different address: nobody can pay this one')
      : ok('not blacklisted');
  if (payTo !== null) yield await found(`PAY_TO ${payTo}`, () => payee(payTo), needed);
  if (relayer === null || settlers.every(({ kind }) => kind !== 'local')) return;
  const { address } = relayer;
  const balance = async () => {
    const { balanceWei, settlements, isLow } = await readFunds(rpc, address);
    const says = `${formatEther(balanceWei)} ETH pay for at least ${settlements} settlements at the current price`;
    if (!isLow) return ok(says);
    const judge = settlements < 1n ? fail : warn;
    return judge(`${says}. Send it some ETH on this network; a few dollars last a long time`);
  };
  // An account with code may be emptied by others, and a delegated one (EIP-7702) can hold one transaction at a time.
  const plain = async () => {
    const code = await rpc.call<Hex>('eth_getCode', [address, 'latest']);
    if (code === '0x') return ok('none, as it should be');
    return fail(
      'present, such as a delegation (EIP-7702). Use a new key that has never been used: nodes keep few pending transactions from such an account',
    );
  };
  const readable = 'Its balance and code must be readable';
  yield await found(`RELAYER_KEY, account ${address}`, balance, readable);
  yield await found(`RELAYER_KEY, account ${address}, code`, plain, readable);
}

/** Runs a check. If it throws, the finding is a FAIL with `todo`. */
async function found(what: string, check: () => Promise<Verdict>, todo: string): Promise<Finding> {
  const startedMs = performance.now();
  try {
    return { what, ...(await check()) };
  } catch (error) {
    return { what, ...fail(`${troubleOf(error, performance.now() - startedMs)}. ${todo}`) };
  }
}

/** Why a check gave no result, in our own words, because a node's text may quote its address and key. */
function troubleOf(error: unknown, afterMs: number): string {
  if (!(error instanceof RpcFailure)) return 'gives an invalid answer';
  if (error.kind === 'unreached') return 'cannot be reached';
  if (error.code !== null) return `rejects the call (code ${error.code})`;
  if (error.kind !== 'unclear') return 'rejects the call';
  return afterMs < RPC_DEADLINE_MS ? 'gives no JSON-RPC answer' : 'does not answer within 5 s';
}

const troubles: Readonly<Record<NonNullable<ReturnType<typeof supportedFault>>, string>> = {
  unreached: 'cannot be reached. Check the address in SETTLERS and the network',
  unauthorized:
    'rejects our key. Check the key: CDP_API_KEY_ID and CDP_API_KEY_SECRET, or the one in the URL',
  unclear:
    'does not list what it supports. Check that the address in SETTLERS belongs to an x402 facilitator',
  not_listed: 'does not list scheme exact on NETWORK. It would reject payments; use another settler',
};
const FACILITATOR_DEADLINE_MS = 10_000;

/** Checks that a facilitator settles on our network (CAIP-2), and that it accepts our key, if there is one. */
async function* facilitatorFindings(
  name: string,
  facilitator: Facilitator,
  network: string,
): AsyncGenerator<Finding> {
  const what = `${name} ${originOnly(facilitator.url)}`;
  const reply = await facilitatorHttp(facilitator).get('/supported', FACILITATOR_DEADLINE_MS);
  const fault = supportedFault(reply, network);
  if (fault !== null) return yield { what, ...fail(troubles[fault]) };
  yield { what, ...ok(`lists scheme exact on ${network}`) };
  if (facilitator.headers === undefined) return;
  // An empty payment can move no money. Every facilitator rejects it, but only a caller with a valid key gets that far.
  const statusFor = async (caller: Facilitator) => {
    const reply = await facilitatorHttp(caller).post('/verify', '{}', FACILITATOR_DEADLINE_MS);
    return reply.kind === 'answered' ? reply.status : 500;
  };
  const isRefused = (status: number) => status === 401 || status === 403;
  const ours = await statusFor(facilitator);
  const isTaken = ours < 500 && isRefused(await statusFor({ url: facilitator.url }));
  const unknown = warn(
    'it is not known whether the key is accepted. Look in the log for settlement lines from this settler',
  );
  const key = isRefused(ours)
    ? fail('rejected. Check CDP_API_KEY_ID, CDP_API_KEY_SECRET and the permissions of the key')
    : isTaken
      ? ok('taken')
      : unknown;
  yield { what: `${what}, key`, ...key };
}

const REDIS_DEADLINE_MS = 3_000;
const LEAST_VERSION = 7;

/** Connects to a server, and runs a script as claims do: a replica rejects it. Throws why it cannot be used. */
async function usableRedis(address: RedisAddress) {
  const session = await connected(address, REDIS_DEADLINE_MS, () => undefined);
  // Deletes an entry that nobody writes.
  const run = session.client.sendCommand(['EVAL', "return redis.call('DEL', KEYS[1])", '1', '{paid}:doctor']);
  await within(REDIS_DEADLINE_MS, run).finally(() => end(session.client));
  return session;
}

/** Checks that a Redis or Valkey can be trusted to remember which payments were used for which requests. */
async function* redisFindings(address: RedisAddress): AsyncGenerator<Finding> {
  const named = `REDIS_URL ${redisName(address)}`;
  const session = await usableRedis(address).catch(codeOf);
  if (typeof session === 'string') {
    const says = `cannot be used (${session}). Check the address, user, password and TLS, that it is the primary, and that INFO, EVAL and writes are allowed`;
    return yield { what: named, ...fail(says) };
  }
  const { server, fact, mayEvict } = session;
  const what = address.kind === 'sentinel' ? `${named}, ${hostName(server)}` : named;
  const valkey = fact('valkey_version');
  const says = `answers, ${valkey === '' ? `Redis ${fact('redis_version')}` : `Valkey ${valkey}`}`;
  const isNewEnough = Number.parseInt(valkey || fact('redis_version'), 10) >= LEAST_VERSION;
  const version = isNewEnough ? ok(says) : fail(`${says}. Use Redis ${LEAST_VERSION} or Valkey, or newer`);
  yield { what, ...version };
  const policy = fact('maxmemory_policy');
  const unsafe = `${policy || 'unknown'}. Set it to noeviction: if a claim is evicted, its payment could be used again`;
  const eviction = policy === 'noeviction' ? ok(policy) : mayEvict ? fail(unsafe) : warn(unsafe);
  yield { what: `${what}, maxmemory-policy`, ...eviction };
  const persistence =
    fact('aof_enabled') === '1'
      ? ok('appendonly is on')
      : warn(
          'appendonly is off. Set appendonly yes. If Redis loses its data in a restart, a buyer who lost a reply cannot collect the answer from another instance',
        );
  yield { what: `${what}, persistence`, ...persistence };
  if (address.kind !== 'sentinel') return;
  // A primary that lost its replicas and sentinels still accepts claims that its successor never sees.
  const contact =
    fact('min_slaves_good_slaves') !== ''
      ? ok('is set')
      : warn(
          'is 0. Set it to 1, with min-replicas-max-lag below down-after-milliseconds. Otherwise a primary that is cut off accepts payments that its successor does not know',
        );
  yield { what: `${what}, min-replicas-to-write`, ...contact };
}

const ADDRESS_DEADLINE_MS = 5_000;
const healthShape = z.object({
  status: z.string(),
  payments: z.string(),
  reasons: z.array(z.string().regex(/^[a-z0-9_]{1,80}$/)).default([]),
});

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ADDRESS_DEADLINE_MS), headers });

/**
 * Checks that callers find the service at its public address. A failure is only a warning, because the doctor often
 * runs before the service. If the service answers there, also checks that it is this deployment, and that the proxy in
 * front of it passes on long headers and callers' addresses.
 */
async function* addressFindings(config: Config, isEmbedded: boolean): AsyncGenerator<Finding> {
  const { publicBaseUrl, operatorToken } = config;
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}`;
  const headers = operatorToken === null ? {} : { authorization: `Bearer ${operatorToken.reveal()}` };
  try {
    const response = await ask(`${publicBaseUrl}/healthz`, headers);
    const health = healthShape.safeParse(await response.json().catch(() => null));
    if (response.status !== 200 || !health.success) {
      const says = `answers /healthz with ${response.status}, but the response is not from this service. Check what the proxy forwards. Paying clients do not follow redirects`;
      return yield { what, ...warn(says) };
    }
    const { payments, reasons } = health.data;
    const named = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    const says = `answers; payments there are ${payments === 'ok' ? 'ok' : 'unavailable'}${named}`;
    const isWell = payments === 'ok' && reasons.length === 0;
    const hint =
      'If the service did not start just now, read its last log line with the event health (docs/monitor.md)';
    yield { what, ...(isWell ? ok(says) : warn(`${says}. ${hint}`)) };
  } catch (error) {
    const says = `does not answer (${causeOf(error)}). Start the service, or check DNS, the certificate and the proxy`;
    return yield { what, ...warn(says) };
  }
  if (isEmbedded) return;
  const todo =
    'Check that the proxy passes on PAYMENT-REQUIRED and all other response headers, up to 8 KB (docs/proxy.md)';
  const product = `${publicBaseUrl}${exampleTarget(lateFeeNotice)}`;
  const deployment = await found(`${what}, deployment`, () => identity(product, config), todo);
  yield deployment;
  if (deployment.verdict !== 'ok') return;
  yield await found(`${what}, headers`, () => longHeader(product), todo);
  yield await found(`${what}, callers`, () => callers(`${publicBaseUrl}${exampleTarget(lateFee)}`), todo);
}

/** Node's error code of a failed connection, such as ENOTFOUND or CERT_HAS_EXPIRED. */
function causeOf(error: unknown): string {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `not within ${ADDRESS_DEADLINE_MS / 1_000} s`;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
}

/** Asks for a price, and compares it with the settings. Throws if the price cannot be read. */
async function identity(url: string, { publicBaseUrl, payTo, network }: Config) {
  const response = await ask(url);
  if (response.status !== 402)
    return fail(`answers ${response.status} instead of a price. Check where the proxy forwards to`);
  const header = Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString('utf8');
  const { resource, accepts } = JSON.parse(header) as PaymentRequired;
  const differences = [
    ['address', new URL(resource.url).origin, publicBaseUrl],
    ['payee', accepts[0].payTo, payTo ?? ''],
    ['network', accepts[0].network, network.caip2],
    ['asset', accepts[0].asset, network.usdc],
  ].flatMap(([name, theirs = '', ours = '']) =>
    theirs.toLowerCase() === ours.toLowerCase() ? [] : [`its ${name} is ${theirs}`],
  );
  if (differences.length === 0)
    return ok(`asks for ${lateFeeNotice.price.usd} USD, to be paid to PAY_TO on ${network.caip2}`);
  return fail(
    `is another deployment: ${differences.join(', ')}. Check where the proxy forwards to. After a change of settings, restart the service`,
  );
}

/** Presents an invalid payment. A header that is not a payment gets 400, without being counted or verified. */
async function longHeader(url: string) {
  const says = `a payment of ${MAX_PAYMENT_CHARACTERS} characters`;
  const response = await ask(url, { 'payment-signature': 'A'.repeat(MAX_PAYMENT_CHARACTERS) });
  const body = (await response.json().catch(() => null)) as { code?: unknown } | null;
  return body?.code === 'invalid_payment'
    ? ok(`${says} arrives`)
    : fail(
        `${says} gets ${response.status} from a proxy in between. Make the proxy accept 16 KB for one header: large_client_header_buffers 4 16k (nginx)`,
      );
}

/** Two made-up addresses must not count as two callers. */
async function callers(url: string) {
  const left: (string | undefined)[] = [];
  // Addresses for documentation (RFC 5737), so counting requests from them limits no real caller.
  for (const address of ['192.0.2.1', '192.0.2.2']) {
    const response = await ask(url, { 'x-forwarded-for': address });
    await response.body?.cancel();
    left.push(/;r=(\d+)/.exec((response.ok && response.headers.get('ratelimit')) || '')?.[1]);
  }
  const [before, after] = left;
  if (before === undefined || after === undefined)
    return warn('it is not known which address is counted. Run this command again after a minute');
  if (before !== after) return ok('the X-Forwarded-For of a caller is ignored');
  return warn(
    'a caller can choose the counted address in X-Forwarded-For. Let the proxy set or extend that header, and let nobody reach the service without the proxy (TRUSTED_PROXIES). If this command runs on one of these proxies, run it elsewhere',
  );
}

/** Checks that statutory interest can be calculated for debts of the near future. */
function rates(today: Day): Verdict {
  const held = `known until ${longDayText(ratesHeldUntil())}`;
  if (!areRatesEnding(today)) return ok(held);
  return warn(
    `${held} only. Add the next half-year to REFERENCE_RATES, or install a newer release. Until then, answers use the last known rate and say that it may be out of date`,
  );
}

/** Checks that only the owner of the file with the keys can read it. Windows has no permission bits for this. */
export function envFile(file: string = ENV_FILE): Verdict | null {
  if (process.platform === 'win32' || !existsSync(file)) return null;
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return ok('only its owner can read it');
  return warn(`others on this machine can read it (mode ${mode.toString(8)}). It holds keys: chmod 600 .env`);
}
