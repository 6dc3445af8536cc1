import { z } from 'zod';
import type { Operation } from '../catalog/operation.ts';
import type { Config } from '../config/config.ts';
import { MAX_PAYMENT_CHARACTERS } from '../payments/x402/payment.ts';
import { exampleTarget } from '../surfaces/discovery/inputs.ts';
import { type Finding, fail, findingsAfter, ok, warn } from './finding.ts';

const DEADLINE_MS = 5_000;
const healthShape = z.object({
  status: z.string(),
  payments: z.string(),
  reasons: z.array(z.string().regex(/^[a-z0-9_]{1,80}$/)).default([]),
});

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(DEADLINE_MS), headers });

/**
 * Checks that callers find the service at its public address. A failure is only a warning, because the doctor often
 * runs before the service. `isOurs`: a healthy service of this release answers there.
 */
export async function checkAddress({
  publicBaseUrl,
  operatorToken,
}: Pick<Config, 'publicBaseUrl' | 'operatorToken'>): Promise<Finding & { readonly isOurs: boolean }> {
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}`;
  try {
    const headers = operatorToken === null ? {} : { authorization: `Bearer ${operatorToken.reveal()}` };
    const response = await ask(`${publicBaseUrl}/healthz`, headers);
    const health = healthShape.safeParse(await response.json().catch(() => null));
    if (response.status !== 200 || !health.success) {
      const says = `answers /healthz with ${response.status}, but the response is not from this service. Check what the proxy forwards. Paying clients do not follow redirects`;
      return { what, ...warn(says), isOurs: false };
    }
    const { payments, reasons } = health.data;
    const named = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    const says = `answers; payments there are ${payments === 'ok' ? 'ok' : 'unavailable'}${named}`;
    const isWell = payments === 'ok' && reasons.length === 0;
    const hint =
      'If the service did not start just now, read its last log line with the event health (docs/monitor.md)';
    return { what, ...(isWell ? ok(says) : warn(`${says}. ${hint}`)), isOurs: true };
  } catch (error) {
    const says = `does not answer (${causeOf(error)}). Start the service, or check DNS, the certificate and the proxy`;
    return { what, ...warn(says), isOurs: false };
  }
}

/** Node's error code of a failed connection, such as ENOTFOUND or CERT_HAS_EXPIRED. */
function causeOf(error: unknown): string {
  const { name, cause } = error as Error;
  if (name === 'TimeoutError') return `not within ${DEADLINE_MS / 1_000} s`;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
}

type Deployment = Pick<Config, 'publicBaseUrl' | 'payTo' | 'network'>;

/**
 * Checks that this deployment answers at PUBLIC_BASE_URL, and that the proxy in front passes on long headers and
 * callers' addresses. Asks for a price, presents an invalid payment, and calls two free operations.
 */
export async function checkDeployment(
  deployment: Deployment,
  operations: readonly Operation[],
): Promise<readonly Finding[]> {
  const { publicBaseUrl } = deployment;
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}`;
  const isAsked = ({ route, price }: Operation, isPaid: boolean) =>
    route?.method === 'GET' && (price !== null) === isPaid && !route.path.includes('{');
  const paid = operations.find((operation) => isAsked(operation, true));
  const free = operations.find((operation) => isAsked(operation, false));
  if (paid === undefined || free === undefined) return [];
  const product = `${publicBaseUrl}${exampleTarget(paid)}`;
  return findingsAfter(
    [`${what}, deployment`, () => identity(product, paid.price?.usd, deployment)],
    [
      [`${what}, headers`, () => longHeader(product)],
      [`${what}, callers`, () => callers(`${publicBaseUrl}${exampleTarget(free)}`)],
    ],
  );
}

const offerShape = z.object({
  resource: z.object({ url: z.url() }),
  accepts: z.array(z.object({ payTo: z.string(), network: z.string(), asset: z.string() })).min(1),
});
type Offer = z.infer<typeof offerShape>;

/** The price that a response asks for; null if it cannot be read. */
function offerIn(response: Response): Offer | null {
  try {
    const header = response.headers.get('payment-required') ?? '';
    return offerShape.parse(JSON.parse(Buffer.from(header, 'base64').toString('utf8')));
  } catch {
    return null;
  }
}

async function identity(url: string, usd: string | undefined, deployment: Deployment) {
  const response = await ask(url);
  const offer = offerIn(response);
  if (response.status !== 402 || offer === null) {
    const got = `${response.status}${response.status === 402 ? ' without a readable PAYMENT-REQUIRED' : ''}`;
    return fail(
      `answers ${got} instead of a price. Check that the proxy passes on all response headers, up to 8 KB (docs/proxy.md)`,
    );
  }
  const { publicBaseUrl, payTo, network } = deployment;
  const { origin } = new URL(offer.resource.url);
  const [first] = offer.accepts;
  const isSame = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
  const differences = [
    ...(origin === publicBaseUrl ? [] : [`it calls itself ${origin}`]),
    ...(payTo === null || isSame(first?.payTo, payTo)
      ? []
      : [`it is paid to ${first?.payTo}, not to PAY_TO`]),
    ...(first?.network === network.caip2 ? [] : [`it is paid on ${first?.network}, not on NETWORK`]),
    ...(isSame(first?.asset, network.usdc) ? [] : [`it is paid in ${first?.asset}`]),
  ];
  if (differences.length === 0) return ok(`asks for ${usd} USD, to be paid to PAY_TO on ${network.caip2}`);
  return fail(
    `is another deployment: ${differences.join(', ')}. Check where the proxy forwards to. After a change of settings, restart the service`,
  );
}

/** A header that is not a payment gets 400, without being counted or verified. */
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

// Addresses for documentation (RFC 5737), so counting requests from them limits no real caller.
const SPOKEN_FOR = ['192.0.2.1', '192.0.2.2'] as const;

/** Two made-up addresses must not count as two callers. */
async function callers(url: string) {
  const left: (string | undefined)[] = [];
  for (const address of SPOKEN_FOR) {
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
