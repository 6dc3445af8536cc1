import { existsSync, statSync } from 'node:fs';
import { z } from 'zod';
import { type Config, callerSecretOf } from '../config/config.ts';
import { isLoopback, isPrivateChannel } from '../config/web-address.ts';
import { ENV_FILE } from '../platform/env-file.ts';
import { redisAddress, redisName } from '../platform/redis-address.ts';

import { type Finding, fail, ok, originOnly, warn } from './finding.ts';

const DEADLINE_MS = 5_000;
const healthShape = z.object({
  status: z.string(),
  payments: z.string(),
  reasons: z.array(z.string().regex(/^[a-z0-9_]{1,80}$/)).optional(),
});

/** `isOurs`: something there is well, and speaks as this service does. */
export type AddressFinding = Finding & { readonly isOurs: boolean };

/** Whether callers find us where we say we are. Only warned of: often the doctor comes before the service does. */
export async function checkAddress({
  publicBaseUrl,
  operatorToken,
}: Pick<Config, 'publicBaseUrl' | 'operatorToken'>): Promise<AddressFinding> {
  const stranger = (finding: Finding): AddressFinding => ({ ...finding, isOurs: false });
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}`;
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const headers = operatorToken === null ? {} : { authorization: `Bearer ${operatorToken.reveal()}` };
    const response = await fetch(`${publicBaseUrl}/healthz`, { redirect: 'manual', signal, headers });
    const health = healthShape.safeParse(await response.json().catch(() => null));
    if (response.status === 200 && health.success) {
      const { payments, reasons = [] } = health.data;
      const says = `answers; there payments are ${payments === 'ok' ? 'ok' : 'unavailable'}`;
      const finding =
        reasons.length === 0
          ? ok(what, says)
          : warn(what, `${says} (${reasons.join(', ')})`, 'docs/monitor.md says what each of these means');
      return { ...finding, isOurs: true };
    }
    const says = `answers /healthz with ${response.status}, but not as this service does`;
    return stranger(warn(what, says, 'Check what the proxy forwards; redirects do not reach paying clients'));
  } catch (error) {
    const says = `does not answer (${causeOf(error)})`;
    return stranger(warn(what, says, 'Start the service, or check DNS, certificate and proxy'));
  }
}

/** The proof itself was checked with the settings. */
export function checkProof({ ownershipProof, payTo, publicBaseUrl }: Config): Finding {
  const what = 'X402_OWNERSHIP_PROOF';
  return ownershipProof === null
    ? ok(what, 'none, which only some catalogues ask for (docs/listing.md)')
    : ok(what, `${payTo} has signed ${publicBaseUrl}`);
}

export function checkMode(config: Config): readonly Finding[] {
  const { production, settlers, rpcUrls, redisUrl, publicBaseUrl, trustedProxies } = config;
  const findings: Finding[] = [];
  if (!production)
    findings.push(
      warn('NODE_ENV', 'not production', 'Set it to production: play money and plain http are then refused'),
    );
  if (rpcUrls.length === 0 && settlers.every(({ kind }) => kind !== 'local'))
    findings.push(
      warn(
        'RPC_URLS',
        'none',
        'Name one: without it facilitators are believed, and nothing is checked on chain',
      ),
    );
  if (production && redisUrl === null)
    findings.push(
      warn(
        'REDIS_URL',
        'none, so that a restart forgets what was paid for and not collected yet',
        'Set it, or see docs/scale.md for what one process without it does not defend against',
      ),
    );
  if (redisUrl !== null && callerSecretOf(config) === null)
    findings.push(
      warn(
        'RECEIPT_KEYS',
        'none, nor another secret that all instances share: each process counts the requests of callers for itself',
        'Set the same one at every instance',
      ),
    );
  // The service speaks plain http, so a proxy has to terminate TLS.
  if (publicBaseUrl.startsWith('https:') && trustedProxies.length === 0)
    findings.push(
      warn(
        'TRUSTED_PROXIES',
        'none, though TLS ends at a proxy: all callers share the limits of its one address',
        'Name the addresses that the proxy connects from',
      ),
    );
  return [...findings, ...checkChannels(config)];
}

/** What is not encrypted on its way: in production on private networks alone. */
function checkChannels({ rpcUrls, redisUrl }: Config): readonly Finding[] {
  const nodes = rpcUrls.map((url) => url.reveal()).filter((url) => !isPrivateChannel(new URL(url)));
  const redis = redisUrl === null ? '' : redisAddress(redisUrl.reveal());
  const isPlain =
    typeof redis !== 'string' && !redis.isEncrypted && !redis.hosts.every(({ host }) => isLoopback(host));
  const plain = [...nodes.map(originOnly), ...(isPlain ? [redisName(redis)] : [])];
  if (plain.length === 0) return [];
  const says = `${plain.join(', ')} without TLS`;
  return [warn('TLS', says, 'Whoever sits on the way there can make up what they say')];
}

/** Whether the file that holds the keys is its owner's alone, where the system tells. */
export function checkEnvFile(file: string = ENV_FILE): readonly Finding[] {
  if (process.platform === 'win32' || !existsSync(file)) return [];
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return [ok('.env', 'only its owner can read it')];
  const says = `others on this machine can read it (mode ${mode.toString(8)})`;
  return [warn('.env', says, 'It holds keys: chmod 600 .env')];
}

/** The settings of the default: checks that they can run and are not taken for real money. */
export async function checkEmbedded(): Promise<readonly Finding[]> {
  const money = warn(
    'SETTLERS embedded',
    'PLAY MONEY: payments settle on a chain of this process and are worth nothing; real USDC cannot be paid to it',
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
    return [money, fail(what, says.replace(/\.$/, ''), 'Without it the service does not start')];
  }
}

/** Node's code of a failed connection, such as ENOTFOUND or CERT_HAS_EXPIRED. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return `not within ${DEADLINE_MS / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
}
