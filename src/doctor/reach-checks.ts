import { BlockList, connect, isIPv4 } from 'node:net';
import { z } from 'zod';
import type { Operation } from '../catalog/operation.ts';
import type { Config } from '../config/config.ts';
import { type FacilitatorHttp, facilitatorHttp } from '../payments/facilitator/http.ts';
import { type Facilitator, isCatalogAmong } from '../payments/facilitator/known-facilitators.ts';
import { supportedFault } from '../payments/facilitator/messages.ts';
import type { SettlerFault } from '../payments/settler-watch.ts';
import { MAX_PAYMENT_CHARACTERS } from '../payments/x402/payment.ts';
import { exampleTarget } from '../surfaces/discovery/example-request.ts';
import { type Finding, fail, ok, originOnly, warn } from './finding.ts';

const DEADLINE_MS = 5_000;
const healthShape = z.object({
  status: z.string(),
  payments: z.string(),
  reasons: z.array(z.string().regex(/^[a-z0-9_]{1,80}$/)).optional(),
});

/** `isOurs`: a healthy service of this release answers there. */
export type AddressFinding = Finding & { readonly isOurs: boolean };

/**
 * Checks that callers find the service at its public address. A failure is only a warning, because the doctor often
 * runs before the service.
 */
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
      const isWell = payments === 'ok' && reasons.length === 0;
      const named = reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
      const says = `answers; payments there are ${payments === 'ok' ? 'ok' : 'unavailable'}${named}`;
      const hint =
        reasons.length === 0
          ? 'If the service did not start just now, read its last log line with the event health'
          : 'docs/monitor.md explains each of these';
      const finding = isWell ? ok(what, says) : warn(what, says, hint);
      return { ...finding, isOurs: true };
    }
    const says = `answers /healthz with ${response.status}, but the response is not from this service`;
    return stranger(
      warn(what, says, 'Check what the proxy forwards. Paying clients do not follow redirects'),
    );
  } catch (error) {
    const says = `does not answer (${causeOf(error)})`;
    return stranger(warn(what, says, 'Start the service, or check DNS, the certificate and the proxy'));
  }
}

/** Node's error code of a failed connection, such as ENOTFOUND or CERT_HAS_EXPIRED. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  if (error.name === 'TimeoutError') return `not within ${DEADLINE_MS / 1_000} s`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : 'no reason given';
}

export type Deployment = Pick<Config, 'publicBaseUrl' | 'payTo' | 'network' | 'settlers' | 'trustedProxies'>;

// Addresses for documentation (RFC 5737), so counting requests from them limits no real caller.
const SPOKEN_FOR = ['192.0.2.1', '192.0.2.2'] as const;
const offerShape = z.object({
  resource: z.object({ url: z.url() }),
  accepts: z.array(z.object({ payTo: z.string(), network: z.string(), asset: z.string() })).min(1),
});
type Offer = z.infer<typeof offerShape>;

/**
 * Checks that this deployment answers at PUBLIC_BASE_URL, and that the proxy in front passes on long headers and
 * callers' addresses. Asks for a price, presents an invalid payment, and calls two free operations.
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
  const probe = isCatalogAmong(deployment.settlers) ? [await checkBareProbe(deployment, paid)] : [];
  return [identity, ...probe, await checkHeaders(deployment, paid), await checkCallers(deployment, free)];
}

/** The catalog of a facilitator sends requests without any input, and drops services that do not answer 402. */
async function checkBareProbe({ publicBaseUrl }: Deployment, { route }: Operation): Promise<Finding> {
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}, catalog probe`;
  const response = await ask(`${publicBaseUrl}${route?.path}`);
  if (response.status === 402 && offerOf(response.headers.get('payment-required')) !== null)
    return ok(what, 'a request without any input gets 402, so a catalog can list the service');
  return fail(
    what,
    `a request without any input gets ${response.status}, so the catalog of your facilitator will not list the service`,
    'Restart the service with these settings, and make the proxy pass such a request (docs/listing.md)',
  );
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
      `answers ${response.status}${response.status === 402 ? ' without a readable PAYMENT-REQUIRED' : ''} instead of a price`,
      'Check that the proxy passes on all response headers, up to 8 KB (docs/proxy.md)',
    );
  const other = otherThan(deployment, offer);
  if (other !== null)
    return fail(
      what,
      `is another deployment: ${other}`,
      'Check where the proxy forwards to. After a change of settings, restart the service',
    );
  return ok(what, `asks for ${paid.price?.usd} USD, to be paid to PAY_TO on ${network.caip2}`);
}

function offerOf(header: string | null): Offer | null {
  try {
    return offerShape.parse(JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8')));
  } catch {
    return null;
  }
}

/** Where an offer differs from our settings; null if it does not. */
function otherThan(
  { publicBaseUrl, payTo, network }: Deployment,
  { accepts, resource }: Offer,
): string | null {
  const { origin } = new URL(resource.url);
  if (origin !== publicBaseUrl) return `it calls itself ${origin}`;
  const [first] = accepts;
  if (payTo !== null && first?.payTo.toLowerCase() !== payTo.toLowerCase())
    return `it is paid to ${first?.payTo}, not to PAY_TO`;
  if (first?.network !== network.caip2) return `it is paid on ${first?.network}, not on NETWORK`;
  return first.asset.toLowerCase() === network.usdc.toLowerCase() ? null : `it is paid in ${first.asset}`;
}

/** A header that is not a payment gets 400, without being counted or verified. */
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
    `${says} gets ${response.status} from a proxy in between`,
    'Make the proxy accept 16 KB for one header: large_client_header_buffers 4 16k (nginx)',
  );
}

/** Two made-up addresses must not count as two callers, unless this command itself counts as a trusted proxy. */
async function checkCallers(
  { publicBaseUrl, trustedProxies }: Deployment,
  free: Operation,
): Promise<Finding> {
  const what = `PUBLIC_BASE_URL ${publicBaseUrl}, callers`;
  const left: (number | null)[] = [];
  for (const address of SPOKEN_FOR) {
    const response = await ask(`${publicBaseUrl}${exampleTarget(free)}`, { 'x-forwarded-for': address });
    await response.body?.cancel();
    left.push(response.ok ? remaining(response.headers.get('ratelimit')) : null);
  }
  const [before, after] = left;
  if (before === null || after === null)
    return warn(what, 'it is not known which address is counted', 'Run this command again after a minute');
  if (before !== after) return ok(what, 'the X-Forwarded-For of a caller is ignored');
  const here = await ownAddress(new URL(publicBaseUrl));
  const trusted = new BlockList();
  for (const { address, prefix, family } of trustedProxies) trusted.addSubnet(address, prefix, family);
  if (here !== null && trusted.check(here, isIPv4(here) ? 'ipv4' : 'ipv6'))
    return warn(
      what,
      `cannot be checked from here, because this command connects from ${here}, which TRUSTED_PROXIES trusts`,
      'Run it on a machine that is not one of your proxies',
    );
  return fail(
    what,
    'a caller can choose the counted address in X-Forwarded-For',
    'Let the proxy set or extend that header, and let nobody reach the service without the proxy (TRUSTED_PROXIES)',
  );
}

/** The address from which this machine connects to a server; null if it cannot connect. */
const ownAddress = ({ protocol, hostname, port }: URL): Promise<string | null> =>
  new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
    const end = (address: string | null) => {
      socket.destroy();
      resolve(address);
    };
    socket.setTimeout(DEADLINE_MS, () => end(null));
    socket.once('error', () => end(null));
    socket.once('connect', () => end(socket.localAddress ?? null));
  });

function remaining(header: string | null): number | null {
  const found = /;r=(\d+)/.exec(header ?? '')?.[1];
  return found === undefined ? null : Number(found);
}

const FACILITATOR_DEADLINE_MS = 10_000;

const troubles: Readonly<Partial<Record<SettlerFault, readonly [says: string, todo: string]>>> = {
  unreached: ['cannot be reached', 'Check the address in SETTLERS and the network'],
  unauthorized: [
    'rejects our key',
    'Check the key: CDP_API_KEY_ID and CDP_API_KEY_SECRET, or the one in the URL',
  ],
  unclear: [
    'does not list what it supports',
    'Check that the address in SETTLERS belongs to an x402 facilitator',
  ],
  not_listed: ['does not list scheme exact on NETWORK', 'It would reject payments; use another settler'],
};

/** Checks that a facilitator settles on our network (CAIP-2), and that it accepts our key, if there is one. */
export async function checkFacilitator(
  name: string,
  facilitator: Facilitator,
  network: string,
): Promise<readonly Finding[]> {
  const what = `${name} ${originOnly(facilitator.url)}`;
  const http = facilitatorHttp(facilitator);
  const fault = supportedFault(await http.get('/supported', FACILITATOR_DEADLINE_MS), network);
  if (fault !== null) {
    const [says, todo] = troubles[fault] ?? [fault, 'Use a different settler'];
    return [fail(what, says, todo)];
  }
  const listed = ok(what, `lists scheme exact on ${network}`);
  return facilitator.headers === undefined ? [listed] : [listed, await checkKey(what, http, facilitator.url)];
}

/**
 * Sends an empty payment, which can move no money. Every facilitator rejects it, but only a caller with a valid key
 * gets that answer.
 */
async function checkKey(facilitator: string, http: FacilitatorHttp, url: string): Promise<Finding> {
  const what = `${facilitator}, key`;
  const ask = async (asker: FacilitatorHttp) => {
    const reply = await asker.post('/verify', '{}', FACILITATOR_DEADLINE_MS);
    return reply.kind === 'answered' ? reply.status : null;
  };
  const turnsAway = (status: number | null) => status === 401 || status === 403;
  const [mine, strangers] = [await ask(http), await ask(facilitatorHttp({ url }))];
  if (turnsAway(mine))
    return fail(what, 'rejected', 'Check CDP_API_KEY_ID, CDP_API_KEY_SECRET and the permissions of the key');
  if (mine !== null && mine < 500 && turnsAway(strangers)) return ok(what, 'taken');
  return warn(
    what,
    'it is not known whether the key is accepted',
    'Look in the log for settlement lines from this settler',
  );
}
