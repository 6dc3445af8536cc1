import { z } from 'zod';
import type { Config } from '../config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const DEADLINE_MS = 5_000;
const healthShape = z.object({
  status: z.string(),
  payments: z.string(),
  reasons: z.array(z.string().regex(/^[a-z0-9_]{1,80}$/)).optional(),
});

/** Whether callers find us where we say we are. Only warned of: often the doctor comes before the service does. */
export async function checkAddress({
  publicBaseUrl,
  healthToken,
}: Pick<Config, 'publicBaseUrl' | 'healthToken'>): Promise<Finding> {
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}`;
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const headers = healthToken === null ? {} : { authorization: `Bearer ${healthToken.reveal()}` };
    const response = await fetch(`${publicBaseUrl}/healthz`, { redirect: 'manual', signal, headers });
    const health = healthShape.safeParse(await response.json().catch(() => null));
    if (response.status === 200 && health.success) {
      const { payments, reasons = [] } = health.data;
      const says = `answers; there payments are ${payments === 'ok' ? 'ok' : 'unavailable'}`;
      return reasons.length === 0
        ? ok(what, says)
        : warn(what, `${says} (${reasons.join(', ')})`, 'docs/operations.md says what each of these means');
    }
    return warn(
      what,
      `answers /healthz with ${response.status}, but not as this service does`,
      'Check what the proxy forwards; redirects do not reach paying clients',
    );
  } catch (error) {
    const says = `does not answer (${causeOf(error)})`;
    return warn(what, says, 'Start the service, or check DNS, certificate and proxy');
  }
}

/** The proof itself was checked with the settings. */
export function checkProof({ ownershipProof, payTo, publicBaseUrl }: Config): Finding {
  const what = 'X402_OWNERSHIP_PROOF';
  return ownershipProof === null
    ? ok(what, 'none, which only some catalogues ask for (npm run ownership:message)')
    : ok(what, `${payTo} has signed ${publicBaseUrl}`);
}

export function checkMode({ production, settlers, rpcUrls }: Config): readonly Finding[] {
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
  return findings;
}

/** The settings of the default: nothing to check but that they can run, and that nobody takes them for real. */
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
