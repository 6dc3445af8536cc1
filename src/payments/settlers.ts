import { cdpSecretFault } from './cdp-key.ts';
import type { Hidden } from './cdp-token.ts';
import { type CallHeaders, facilitatorHttp } from './facilitator-http.ts';
import type { Listing } from './facilitator-listing.ts';
import { type SettlerHealth, type SupportedWatch, watchSupported } from './facilitator-supported.ts';
import { createFailover, type SettlerReport } from './failover.ts';
import type { Hex } from './payment.ts';
import type { Settlement } from './settlement.ts';

/** What a settler on our own account needs. URLs and key are secrets: they stay inside this folder. */
export type LocalSettings = {
  readonly rpcUrls: readonly string[];
  readonly key: Hex;
  readonly chainId: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

// Base has been far below this ever since it opened; above it a one-cent answer costs more gas than it brings.
const MAX_FEE_PER_GAS_WEI = 5_000_000_000n;

async function localSettlement({ rpcUrls, key, chainId, now }: LocalSettings): Promise<Settlement> {
  const [{ rpcOver }, { createRelayer }, { createLocalSettler }] = await Promise.all([
    import('./rpc.ts'),
    import('./relayer.ts'),
    import('./local-settler.ts'),
  ]);
  const rpc = rpcOver(rpcUrls);
  const relayer = createRelayer({ key, chainId, rpc, now, maxFeePerGasWei: MAX_FEE_PER_GAS_WEI });
  return createLocalSettler({ rpc, relayer, now });
}

/**
 * A settler on our own account. Its chain library loads while the service already answers: free routes and
 * challenges need none of it, and the first payment waits for the rest.
 */
const localSettlementSoon = (settings: LocalSettings): Settlement => soon(localSettlement(settings));

function soon(loading: Promise<Settlement>): Settlement {
  // Reported where it is used; until then it must not end the process.
  loading.catch(() => undefined);
  return {
    settle: async (order, beforeSending) => (await loading).settle(order, beforeSending),
    reconcile: async (order, hash, beforeSending) => (await loading).reconcile(order, hash, beforeSending),
  };
}

/** One entry of SETTLERS. */
export type SettlerChoice =
  | { readonly kind: 'embedded' | 'local' | 'cdp' | 'payai' }
  | { readonly kind: 'facilitator'; readonly url: string };

/** What settlers share. URLs and keys are secrets: they stay inside this folder. */
export type SettlersSettings = {
  /** Hosted settlers are checked against the chain when there is at least one. */
  readonly rpcUrls: readonly string[];
  /** For `embedded` and `local`. */
  readonly key: Hex | null;
  /** For `cdp`. */
  readonly cdpApiKey: { readonly id: Hidden; readonly secret: Hidden } | null;
  readonly chainId: number;
  /** CAIP-2. */
  readonly network: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** One payment at one settler has ended, for logs. */
  readonly onSettler?: (report: SettlerReport) => void;
  /** What a facilitator says of its support has changed. */
  readonly onHealth?: (health: SettlerHealth) => void;
  /** A facilitator's catalogue has taken, or not taken, what was paid for. */
  readonly onListing?: (settler: string, listing: Listing) => void;
};

export type Settlers = {
  readonly settlement: Settlement;
  /** What is known of hosted settlers, in order; asked in the background. */
  health(): readonly SettlerHealth[];
  /** Asks no more. */
  stop(): void;
};

const CDP_HOST = 'api.cdp.coinbase.com';
const CDP_URL = `https://${CDP_HOST}/platform/v2/x402`;
const PAYAI_URL = 'https://facilitator.payai.network';
const SUPPORTED_DEADLINE_MS = 10_000;

/** All settlers of a list as one, in its order. Throws when one lacks what it needs; nothing is called meanwhile. */
export function settlersOf(choices: readonly SettlerChoice[], settings: SettlersSettings): Settlers {
  const watches: SupportedWatch[] = [];
  const settlers = choices.map((choice, index) => {
    if (choice.kind === 'embedded' || choice.kind === 'local')
      return {
        name: choice.kind,
        settlement: localSettlementSoon({ ...settings, key: given(settings.key) }),
      };
    const name = choice.kind === 'facilitator' ? `facilitator_${index + 1}` : choice.kind;
    const facilitator = facilitatorOf(choice, settings);
    watches.push(watchOf(name, facilitator, settings));
    return { name, settlement: soon(hostedSettlement(name, facilitator, settings)) };
  });
  const { now, onSettler } = settings;
  return {
    settlement: createFailover({ settlers, now, ...(onSettler && { onSettler }) }),
    health: () => watches.map((watch) => watch.health()),
    stop: () => {
      for (const watch of watches) watch.stop();
    },
  };
}

type Facilitator = { readonly url: string; readonly headers?: CallHeaders; readonly isEdge503?: boolean };

function facilitatorOf(choice: SettlerChoice, { cdpApiKey, now }: SettlersSettings): Facilitator {
  if (choice.kind === 'facilitator') return { url: choice.url };
  if (choice.kind === 'payai') return { url: PAYAI_URL, isEdge503: true };
  const { id, secret } = given(cdpApiKey);
  if (cdpSecretFault(secret.reveal()) !== null) throw new Error('CDP_API_KEY_SECRET is no key secret');
  const loading = import('./cdp-token.ts').then(({ cdpHeaders }) =>
    cdpHeaders({ id, secret, host: CDP_HOST, now }),
  );
  loading.catch(() => undefined);
  return { url: CDP_URL, headers: async (method, path) => (await loading)(method, path) };
}

async function hostedSettlement(
  name: string,
  facilitator: Facilitator,
  { rpcUrls, now, onListing }: SettlersSettings,
): Promise<Settlement> {
  const [{ rpcOver }, { createHostedSettler }] = await Promise.all([
    import('./rpc.ts'),
    import('./hosted-settler.ts'),
  ]);
  return createHostedSettler({
    ...facilitator,
    rpc: rpcUrls.length === 0 ? null : rpcOver(rpcUrls),
    now,
    onListing: (listing) => onListing?.(name, listing),
  });
}

function watchOf(
  settler: string,
  facilitator: Facilitator,
  { network, onHealth }: SettlersSettings,
): SupportedWatch {
  const http = facilitatorHttp(facilitator);
  return watchSupported({
    settler,
    network,
    ask: () => http.get('/supported', SUPPORTED_DEADLINE_MS),
    ...(onHealth && { onChange: onHealth }),
  });
}

function given<Value>(value: Value | null): Value {
  if (value === null) throw new Error('A settler lacks its key');
  return value;
}
