import { existsSync, statSync } from 'node:fs';
import type { Operation } from '../catalog/operation.ts';
import { type Config, callerSecretOf, type SettlerChoice } from '../config/config.ts';
import { isLoopback, isPrivateChannel } from '../config/web-address.ts';
import { type Day, longDayText, utcDay } from '../domain/calendar.ts';
import { areRatesEnding, ratesHeldUntil } from '../domain/statutory-rates.ts';
import { createCatalog } from '../operations/catalog.ts';
import {
  type Facilitator,
  type FacilitatorChoice,
  facilitatorOf,
} from '../payments/facilitator/known-facilitators.ts';
import { ENV_FILE } from '../platform/env-file.ts';
import { redisAddress, redisName } from '../platform/redis-address.ts';
import { StartFault } from '../platform/start-fault.ts';
import { readDirectory } from '../service/directory.ts';
import { examineChain } from './chain-checks.ts';
import { type Finding, fail, guarded, ok, originOnly, warn } from './finding.ts';
import { checkAddress, checkDeployment, checkFacilitator } from './reach-checks.ts';
import { checkRedis } from './redis-checks.ts';

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
  const facilitator =
    options.facilitator ??
    ((choice: FacilitatorChoice) => facilitatorOf(choice, { cdpApiKey: config.cdpApiKey, now }));
  const { operations, finding } = catalogOf(now());
  tell([finding]);
  const isEmbedded = config.settlers.some(({ kind }) => kind === 'embedded');
  if (isEmbedded) tell(await checkEmbedded());
  else {
    tell(checkMode(config));
    tell(await guarded('RPC_URLS', () => examineChain(config, operations, now)));
    for (const [index, choice] of config.settlers.entries()) {
      if (!isFacilitator(choice)) continue;
      const name = choice.kind === 'facilitator' ? `facilitator_${index + 1}` : choice.kind;
      tell(await guarded(name, () => checkFacilitator(name, facilitator(choice), config.network.caip2)));
    }
  }
  const { redisUrl } = config;
  if (redisUrl !== null) tell(await guarded('REDIS_URL', () => checkRedis(redisUrl.reveal())));
  const address = await checkAddress(config);
  tell([address]);
  if (address.isOurs && !isEmbedded)
    tell(await guarded('PUBLIC_BASE_URL', () => checkDeployment(config, operations)));
  tell([checkRates(options.today ?? utcDay(now())), ...checkEnvFile()]);
}

const isFacilitator = (choice: SettlerChoice): choice is FacilitatorChoice =>
  choice.kind !== 'embedded' && choice.kind !== 'local';

/** The operations; none if their data cannot be served. */
function catalogOf(nowMs: number): { operations: readonly Operation[]; finding: Finding } {
  const what = 'Directory of tools';
  try {
    const operations = createCatalog(readDirectory(nowMs));
    return { operations, finding: ok(what, 'can be served') };
  } catch (fault) {
    if (!(fault instanceof StartFault)) throw fault;
    const [says = '', todo = ''] = fault.message.replace(/\.$/, '').split(': ', 2);
    return { operations: [], finding: fail(what, says, `${todo.charAt(0).toUpperCase()}${todo.slice(1)}`) };
  }
}

/** Checks that statutory interest can be calculated for debts of the near future. */
function checkRates(today: Day): Finding {
  const what = 'Statutory reference rates';
  const held = `known until ${longDayText(ratesHeldUntil())}`;
  if (!areRatesEnding(today)) return ok(what, held);
  return warn(
    what,
    `${held} only`,
    'Add the next half-year to REFERENCE_RATES, or install a newer release. Until then, answers use the last known rate and say that it may be out of date',
  );
}

function checkMode(config: Config): readonly Finding[] {
  const { production, settlers, rpcUrls, redisUrl, publicBaseUrl, trustedProxies } = config;
  const findings: Finding[] = [];
  if (!production)
    findings.push(
      warn('NODE_ENV', 'not production', 'Set it to production, which refuses play money and plain http'),
    );
  if (rpcUrls.length === 0 && settlers.every(({ kind }) => kind !== 'local'))
    findings.push(
      warn(
        'RPC_URLS',
        'none',
        'Set a node. Without one, the service trusts facilitators and checks nothing on the chain',
      ),
    );
  if (production && redisUrl === null)
    findings.push(
      warn(
        'REDIS_URL',
        'none, so paid answers that were not collected yet are lost on a restart',
        'Set it, or read in docs/scale.md what is lost without it',
      ),
    );
  if (redisUrl !== null && callerSecretOf(config) === null)
    findings.push(
      warn(
        'RECEIPT_KEYS',
        'none, and no other secret that all instances share, so each process counts callers’ requests separately',
        'Set the same key on every instance',
      ),
    );
  // The service speaks plain http, so a proxy has to terminate TLS.
  if (publicBaseUrl.startsWith('https:') && trustedProxies.length === 0)
    findings.push(
      warn(
        'TRUSTED_PROXIES',
        'none, although TLS ends at a proxy, so all callers share the limits of its address',
        'Set the addresses from which the proxy connects',
      ),
    );
  return [...findings, ...checkChannels(config)];
}

/** Reports connections without encryption: in production, they exist only on private networks. */
function checkChannels({ rpcUrls, redisUrl }: Config): readonly Finding[] {
  const nodes = rpcUrls.map((url) => url.reveal()).filter((url) => !isPrivateChannel(new URL(url)));
  const redis = redisUrl === null ? '' : redisAddress(redisUrl.reveal());
  const isPlain =
    typeof redis !== 'string' && !redis.isEncrypted && !redis.hosts.every(({ host }) => isLoopback(host));
  const plain = [...nodes.map(originOnly), ...(isPlain ? [redisName(redis)] : [])];
  if (plain.length === 0) return [];
  const says = `${plain.join(', ')} without TLS`;
  return [warn('TLS', says, 'Anyone on the network path can forge the answers')];
}

/** Checks that only its owner can read the file with the keys. Windows has no permission bits for this. */
export function checkEnvFile(file: string = ENV_FILE): readonly Finding[] {
  if (process.platform === 'win32' || !existsSync(file)) return [];
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return [ok('.env', 'only its owner can read it')];
  const says = `others on this machine can read it (mode ${mode.toString(8)})`;
  return [warn('.env', says, 'It holds keys: chmod 600 .env')];
}

/** Checks that the default settings can run and are not mistaken for real money. */
async function checkEmbedded(): Promise<readonly Finding[]> {
  const money = warn(
    'SETTLERS embedded',
    'PLAY MONEY: payments settle on a chain in this process and are worth nothing. Real USDC cannot be paid to it',
    'To be paid, set SETTLERS, PAY_TO and what they need (.env.example)',
  );
  const what = 'Embedded chain';
  try {
    const { startChain } = await import('../devnet/chain.ts');
    const chain = await startChain();
    await chain.stop();
    return [money, ok(what, `starts, within ${chain.bootMs} ms`)];
  } catch (error) {
    const says = error instanceof Error ? error.message : 'does not start';
    return [money, fail(what, says.replace(/\.$/, ''), 'Without it, the service does not start')];
  }
}
