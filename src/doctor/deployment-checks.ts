import { z } from 'zod';
import type { Operation } from '../catalog/operation.ts';
import type { Config } from '../config/config.ts';
import { MAX_PAYMENT_CHARACTERS } from '../payments/x402/payment.ts';
import { exampleTarget } from '../surfaces/discovery/example-request.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

export type Deployment = Pick<Config, 'publicBaseUrl' | 'payTo' | 'network'>;

const DEADLINE_MS = 5_000;
// Addresses of documentation (RFC 5737): counting them limits no real caller.
const SPOKEN_FOR = ['192.0.2.1', '192.0.2.2'] as const;
const offerShape = z.object({
  resource: z.object({ url: z.url() }),
  accepts: z.array(z.object({ payTo: z.string(), network: z.string(), asset: z.string() })).min(1),
});
type Offer = z.infer<typeof offerShape>;

/**
 * Whether what answers at PUBLIC_BASE_URL is this deployment, and whether what buyers and their addresses need passes
 * the proxy in front. Asks for a price, shows a payment that is none, and calls two free operations.
 */
export async function checkDeployment(
  deployment: Deployment,
  operations: readonly Operation[],
): Promise<readonly Finding[]> {
  const isAsked = ({ route, price }: Operation, isPaid: boolean) =>
    route?.method === 'GET' && (price !== null) === isPaid && !route.path.includes('{');
  const paid = operations.find((operation) => isAsked(operation, true));
  const free = operations.find((operation) => isAsked(operation, false));
  if (paid === undefined || free === undefined) return [];
  const identity = await checkIdentity(deployment, paid);
  if (identity.verdict !== 'ok') return [identity];
  return [identity, await checkHeaders(deployment, paid), await checkCallers(deployment, free)];
}

const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(DEADLINE_MS), headers });

async function checkIdentity(deployment: Deployment, paid: Operation): Promise<Finding> {
  const { publicBaseUrl, network } = deployment;
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}, deployment`;
  const response = await ask(`${publicBaseUrl}${exampleTarget(paid)}`);
  const offer = offerOf(response.headers.get('payment-required'));
  if (response.status !== 402 || offer === null)
    return fail(
      what,
      `answers ${response.status}${response.status === 402 ? ' without a PAYMENT-REQUIRED that can be read' : ''} where a price has to be named`,
      'Check that the proxy passes all headers of an answer, up to 8 KB of them (docs/proxy.md)',
    );
  const other = otherThan(deployment, offer);
  if (other !== null)
    return fail(
      what,
      `is another deployment: ${other}`,
      'Check where the proxy leads; after a change of settings, restart the service',
    );
  return ok(what, `a price of ${paid.price?.usd} USD is named, to be paid to PAY_TO on ${network.caip2}`);
}

function offerOf(header: string | null): Offer | null {
  try {
    return offerShape.parse(JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8')));
  } catch {
    return null;
  }
}

/** In what an offer differs from what our settings would make it; null in nothing. */
function otherThan(
  { publicBaseUrl, payTo, network }: Deployment,
  { accepts, resource }: Offer,
): string | null {
  const { origin } = new URL(resource.url);
  if (origin !== publicBaseUrl) return `it calls itself ${origin}`;
  const [first] = accepts;
  if (payTo !== null && first?.payTo.toLowerCase() !== payTo.toLowerCase())
    return `it is paid at ${first?.payTo}, not at PAY_TO`;
  if (first?.network !== network.caip2) return `it is paid on ${first?.network}, not on NETWORK`;
  return first.asset.toLowerCase() === network.usdc.toLowerCase() ? null : `it is paid in ${first.asset}`;
}

/** A header that is no payment is answered 400, without being counted or examined. */
async function checkHeaders({ publicBaseUrl }: Deployment, paid: Operation): Promise<Finding> {
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}, headers`;
  const says = `a payment of ${MAX_PAYMENT_CHARACTERS} characters`;
  const response = await ask(`${publicBaseUrl}${exampleTarget(paid)}`, {
    'payment-signature': 'A'.repeat(MAX_PAYMENT_CHARACTERS),
  });
  const body = (await response.json().catch(() => null)) as { code?: unknown } | null;
  if (body?.code === 'invalid_payment') return ok(what, `${says} arrives`);
  return fail(
    what,
    `${says} is answered with ${response.status} by something in between`,
    'Let the proxy take 16 KB for one header: large_client_header_buffers 4 16k (nginx)',
  );
}

/** Two addresses that are only spoken of must not be two callers. */
async function checkCallers({ publicBaseUrl }: Deployment, free: Operation): Promise<Finding> {
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}, callers`;
  const left: (number | null)[] = [];
  for (const address of SPOKEN_FOR) {
    const response = await ask(`${publicBaseUrl}${exampleTarget(free)}`, { 'x-forwarded-for': address });
    await response.body?.cancel();
    left.push(response.ok ? remaining(response.headers.get('ratelimit')) : null);
  }
  const [before, after] = left;
  if (before === null || after === null)
    return warn(what, 'not known who is counted', 'Run this again when a minute has passed');
  return before === after
    ? fail(
        what,
        'a caller chooses the address it is counted by, in X-Forwarded-For',
        'Let the proxy set or extend that header, and let nobody reach the service around it (TRUSTED_PROXIES)',
      )
    : ok(what, 'what a caller writes into X-Forwarded-For does not count');
}

function remaining(header: string | null): number | null {
  const found = /;r=(\d+)/.exec(header ?? '')?.[1];
  return found === undefined ? null : Number(found);
}
