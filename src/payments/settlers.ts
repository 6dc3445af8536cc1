import type { Hidden } from './cdp-token.ts';
import { chainFault, fundsFault } from './chain-check.ts';
import { facilitatorHttp } from './facilitator-http.ts';
import type { Listing } from './facilitator-listing.ts';
import { watchSupported } from './facilitator-supported.ts';
import { type Facilitator, facilitatorOf, type HostedChoice } from './facilitators.ts';
import { createFailover, type SettlerReport } from './failover.ts';
import type { Hex } from './payment.ts';
import { MAX_FEE_PER_GAS_WEI } from './relayer-funds.ts';
import type { Rpc } from './rpc.ts';
import type { Settlement } from './settlement.ts';
import { type SettlerHealth, type SettlerWatch, watchSettler } from './settler-watch.ts';

/** One entry of SETTLERS. */
export type SettlerChoice = { readonly kind: 'embedded' } | { readonly kind: 'local' } | HostedChoice;

/** What settlers share. URLs and keys are secrets: they stay inside this folder. */
export type SettlersSettings = {
  /** Hosted settlers are checked against the chain when there is at least one. */
  readonly rpcUrls: readonly string[];
  /** For `embedded` and `local`. */
  readonly key: Hex | null;
  /** For `cdp`. */
  readonly cdpApiKey: { readonly id: Hidden; readonly secret: Hidden } | null;
  readonly chainId: number;
  /** What may be spent on gas for each cent that is sold, and in an hour, in wei. */
  readonly gasWeiPerCent: bigint;
  readonly gasBudgetWeiPerHour: bigint;
  /** CAIP-2. */
  readonly network: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** One payment at one settler has ended, for logs. */
  readonly onSettler?: (report: SettlerReport) => void;
  /** Whether a settler can take payments has changed. */
  readonly onHealth?: (health: SettlerHealth) => void;
  /** The account of a settler of our own can pay for few more settlements, or for enough again. */
  readonly onLowBalance?: (settler: string, isLow: boolean) => void;
  /** A facilitator's catalogue has taken, or not taken, what was paid for. */
  readonly onListing?: (settler: string, listing: Listing) => void;
};

export type Settlers = {
  readonly settlement: Settlement;
  /** What is known of the settlers, in order; asked in the background and learned from payments. */
  health(): readonly SettlerHealth[];
  /** The nodes of the chain, for whoever else has to ask them; null without any. */
  rpc(): Promise<Rpc | null>;
  /** Asks no more. */
  stop(): void;
};

type Member = {
  readonly name: string;
  readonly settlement: Settlement;
  readonly watch: SettlerWatch;
  readonly rpc: Promise<Rpc | null>;
  stop?(): void;
};

const SUPPORTED_DEADLINE_MS = 10_000;

/** All settlers of a list as one, in its order. Throws when one lacks what it needs; nothing is called meanwhile. */
export function settlersOf(choices: readonly SettlerChoice[], settings: SettlersSettings): Settlers {
  const settlers = choices.map((choice, index): Member => {
    if (choice.kind === 'embedded' || choice.kind === 'local') return ownSettler(choice.kind, settings);
    const name = choice.kind === 'facilitator' ? `facilitator_${index + 1}` : choice.kind;
    return hostedSettler(name, facilitatorOf(choice, settings), settings);
  });
  const onSettler = (report: SettlerReport) => {
    settlers.find(({ name }) => name === report.settler)?.watch.note(report);
    settings.onSettler?.(report);
  };
  return {
    settlement: createFailover({ settlers, now: settings.now, onSettler }),
    health: () => settlers.map(({ watch }) => watch.health()),
    rpc: async () => settlers[0]?.rpc ?? null,
    stop() {
      for (const { watch, stop } of settlers) {
        watch.stop();
        stop?.();
      }
    },
  };
}

/** The chain library loads while the service already answers: free routes and challenges need none of it. */
function ownSettler(name: string, settings: SettlersSettings): Member {
  const { key, chainId, now, onHealth, onLowBalance } = settings;
  if (key === null) throw new Error('A settler lacks its key');
  let wasLow = false;
  const tellBalance = (isLow: boolean) => {
    if (isLow !== wasLow) onLowBalance?.(name, isLow);
    wasLow = isLow;
  };
  const loading = localParts({ ...settings, key });
  // Reported where it is used; until then it must not end the process.
  loading.catch(() => undefined);
  const watch = watchSettler({
    settler: name,
    now,
    onChange: onHealth,
    async ask() {
      const { rpc, relayer } = await loading;
      return (
        (await chainFault(rpc, chainId)) ??
        (await fundsFault(rpc, relayer.address, ({ isLow }) => tellBalance(isLow)))
      );
    },
  });
  const stop = () => void loading.then(({ relayer }) => relayer.stop()).catch(() => undefined);
  const { rpc, settlement } = partsOf(loading);
  return { name, watch, stop, rpc, settlement };
}

async function localParts(settings: SettlersSettings & { key: Hex }) {
  const { rpcUrls, key, chainId, now, gasWeiPerCent, gasBudgetWeiPerHour } = settings;
  const [{ rpcOver }, { createRelayer }, { createLocalSettler }] = await Promise.all([
    import('./rpc.ts'),
    import('./relayer.ts'),
    import('./local-settler.ts'),
  ]);
  const rpc = rpcOver(rpcUrls);
  const maxFeePerGasWei = MAX_FEE_PER_GAS_WEI;
  const relayer = createRelayer({ key, chainId, rpc, now, maxFeePerGasWei, gasBudgetWeiPerHour });
  return { rpc, relayer, settlement: createLocalSettler({ rpc, relayer, gasWeiPerCent, now }) };
}

function hostedSettler(name: string, facilitator: Facilitator, settings: SettlersSettings): Member {
  const { rpcUrls, chainId, network, now, onHealth } = settings;
  const loading = hostedParts(name, facilitator, settings);
  loading.catch(() => undefined);
  const http = facilitatorHttp(facilitator);
  const watch = watchSupported({
    settler: name,
    network,
    now,
    onChange: onHealth,
    ask: () => http.get('/supported', SUPPORTED_DEADLINE_MS),
    ...(rpcUrls.length > 0 && { askChain: async () => chainFault((await loading).rpc as Rpc, chainId) }),
  });
  return { name, watch, ...partsOf(loading) };
}

async function hostedParts(
  name: string,
  facilitator: Facilitator,
  { rpcUrls, now, onListing }: SettlersSettings,
) {
  const [{ rpcOver }, { createHostedSettler }] = await Promise.all([
    import('./rpc.ts'),
    import('./hosted-settler.ts'),
  ]);
  const rpc = rpcUrls.length === 0 ? null : rpcOver(rpcUrls);
  const tellListing = (listing: Listing) => onListing?.(name, listing);
  return { rpc, settlement: createHostedSettler({ ...facilitator, rpc, now, onListing: tellListing }) };
}

function partsOf(loading: Promise<{ rpc: Rpc | null; settlement: Settlement }>) {
  const rpc = loading.then((parts) => parts.rpc);
  // Reported where it is used.
  rpc.catch(() => undefined);
  return { rpc, settlement: soon(loading.then(({ settlement }) => settlement)) };
}

function soon(loading: Promise<Settlement>): Settlement {
  loading.catch(() => undefined);
  return {
    settle: async (order, handover) => (await loading).settle(order, handover),
    reconcile: async (order, hash, handover) => (await loading).reconcile(order, hash, handover),
    isWalletSigned: async (order, digest) => (await loading).isWalletSigned(order, digest),
  };
}
