import type { ChainWatch } from '../chain/chain-watch.ts';
import type { RpcPool } from '../chain/rpc.ts';
import { fundsFault, gasFault } from '../local/funds-check.ts';
import type { Relayer } from '../local/relayer.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI } from '../local/relayer-funds.ts';
import type { RelayerTerm } from '../local/relayer-term.ts';
import { type SettlerFault, watchSettler } from '../settler-watch.ts';
import type { Hex } from '../x402/payment.ts';
import { guarded, lazySettlement } from './guarded.ts';
import type { Member, MemberParts, SettlersSettings } from './member.ts';

/**
 * A settler with an account of its own. Its code loads in the background. With each term it starts afresh, as after a
 * restart with that key; without a term it only reads. Throws when it has no key or no nodes.
 */
export function localMember(name: string, parts: MemberParts): Member {
  const { keys, lease, now, onHealth, onLowBalance, onFunds, chainAccess } = parts;
  const [first] = keys;
  if (first === undefined || chainAccess === null) throw new Error('A settler lacks its key or its nodes');
  const { rpc, chain } = chainAccess;
  let wasLow = false;
  const tellFunds = (funds: Funds | null) => {
    const isLow = funds?.isLow ?? false;
    onFunds?.(name, funds);
    if (isLow !== wasLow) onLowBalance?.(name, isLow);
    wasLow = isLow;
  };
  let term: RelayerTerm = lease === undefined ? FOR_EVER : NONE;
  let relayer: Relayer | null = null;
  let loading = load(term);

  function load(begun: RelayerTerm): ReturnType<typeof localParts> {
    const account = localParts(parts, keys[begun.place] ?? (first as Hex), begun, rpc);
    void account.then(
      (loaded) => {
        if (term === begun) relayer = loaded.relayer;
        else loaded.relayer.stop();
      },
      // Reported where it is used; until then it must not end the process.
      () => undefined,
    );
    return account;
  }

  chain.onBaseFee((wei) => relayer?.gas.saw(wei));
  const watch = watchSettler({
    settler: name,
    now,
    onChange: onHealth,
    async ask() {
      const { relayer: account } = await loading;
      const fault = await chain.check();
      if (fault !== null || !account.mayUse()) return fault;
      return fundsFault(rpc, account.address, (funds) => account.mayUse() && tellFunds(funds));
    },
  });
  lease?.onTerm((begun) => {
    term = begun ?? NONE;
    // What it has sent is left to the key's next holder, as after a crash.
    relayer?.stop();
    tellFunds(null);
    if (begun !== null) loading = load(begun);
    watch.askAnew();
  });
  const fault = (): SettlerFault | null =>
    chain.fault() ?? (term.mayUse() ? (relayer?.fault() ?? null) : 'no_relayer_key');
  return {
    name,
    watch,
    fault: () => {
      const reason = fault();
      return reason === null ? gasFaultOf(relayer, chain, parts) : { reason };
    },
    stop: () => void loading.then((loaded) => loaded.relayer.stop()).catch(() => undefined),
    settlement: guarded(
      lazySettlement(() => loading.then(({ settlement }) => settlement)),
      chain,
      async () => (await chain.refusal()) ?? fault(),
    ),
  };
}

const FOR_EVER: RelayerTerm = { place: 0, mayUse: () => true };
const NONE: RelayerTerm = { place: 0, mayUse: () => false };

/** Before the relayer is loaded, only the price of gas can prevent a sale. */
const gasFaultOf = (relayer: Relayer | null, chain: ChainWatch, { prices, gasWeiPerCent }: MemberParts) =>
  gasFault({
    baseFeeWei: relayer?.gas.known() ?? chain.baseFeeWei() ?? 0n,
    prices,
    limits: {
      gasWeiPerCent,
      maxFeePerGasWei: MAX_FEE_PER_GAS_WEI,
      ...(relayer && { dataFeeWei: relayer.gas.dataFeeWei }),
    },
    isSpent: relayer?.isSpent ?? (() => false),
  });

async function localParts(settings: SettlersSettings, key: Hex, term: RelayerTerm, rpc: RpcPool) {
  const { terms, now, gasWeiPerCent, confirmations, isShared } = settings;
  const { gasBudgetWeiPerHour, maxOutstanding, maxTogether } = settings;
  const [{ createRelayer }, { createLocalSettler }] = await Promise.all([
    import('../local/relayer.ts'),
    import('../local/local-settler.ts'),
  ]);
  const maxFeePerGasWei = MAX_FEE_PER_GAS_WEI;
  const { chainId } = terms;
  const limits = { maxFeePerGasWei, gasBudgetWeiPerHour, maxOutstanding };
  const relayer = createRelayer({ key, term, chainId, rpc, now, ...limits });
  const ways = { gasWeiPerCent, confirmations, isShared, maxTogether };
  return { relayer, settlement: createLocalSettler({ rpc, relayer, now, ...ways }) };
}
