import type { ChainWatch } from '../chain/chain-watch.ts';
import type { RpcPool } from '../chain/rpc.ts';
import { fundsFault, gasFault } from '../local/funds-check.ts';
import type { Relayer } from '../local/relayer.ts';
import { type Funds, MAX_FEE_PER_GAS_WEI } from '../local/relayer-funds.ts';
import { watchSettler } from '../settler-watch.ts';
import type { Hex } from '../x402/payment.ts';
import { guarded, lazySettlement } from './guarded.ts';
import type { Member, MemberParts, SettlersSettings } from './member.ts';

/** A settler with an account of its own. Its chain library loads in the background. Throws when it lacks its key or its nodes. */
export function localMember(name: string, parts: MemberParts): Member {
  const { key, now, onHealth, onLowBalance, onFunds, ground } = parts;
  if (key === null || ground === null) throw new Error('A settler lacks its key or its nodes');
  const { rpc, chain } = ground;
  let wasLow = false;
  const tellFunds = (funds: Funds) => {
    const { isLow } = funds;
    onFunds?.(name, funds);
    if (isLow !== wasLow) onLowBalance?.(name, isLow);
    wasLow = isLow;
  };
  let relayer: Relayer | null = null;
  const loading = localParts(parts, key, rpc).then((loaded) => {
    relayer = loaded.relayer;
    return loaded;
  });
  ground.onBaseFee.push((wei) => relayer?.gas.saw(wei));
  // Reported where it is used; until then it must not end the process.
  loading.catch(() => undefined);
  const watch = watchSettler({
    settler: name,
    now,
    onChange: onHealth,
    async ask() {
      const { relayer: account } = await loading;
      return (await chain.check()) ?? (await fundsFault(rpc, account.address, tellFunds));
    },
  });
  return {
    name,
    watch,
    fault: () => {
      const reason = chain.fault() ?? relayer?.fault() ?? null;
      return reason === null ? gasFaultOf(relayer, chain, parts) : { reason };
    },
    stop: () => void loading.then((loaded) => loaded.relayer.stop()).catch(() => undefined),
    settlement: guarded(lazySettlement(loading.then(({ settlement }) => settlement)), chain, async () => {
      const refusal = await chain.refusal();
      return refusal ?? (relayer?.fault() === 'relayer_stuck' ? 'relayer_stuck' : null);
    }),
  };
}

/** Before the relayer is there, only the price of gas can stand against a sale. */
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

async function localParts(settings: SettlersSettings, key: Hex, rpc: RpcPool) {
  const { terms, now, gasWeiPerCent, confirmations, isShared } = settings;
  const { gasBudgetWeiPerHour, maxOutstanding, maxTogether } = settings;
  const [{ createRelayer }, { createLocalSettler }] = await Promise.all([
    import('../local/relayer.ts'),
    import('../local/local-settler.ts'),
  ]);
  const maxFeePerGasWei = MAX_FEE_PER_GAS_WEI;
  const { chainId } = terms;
  const limits = { maxFeePerGasWei, gasBudgetWeiPerHour, maxOutstanding };
  const relayer = createRelayer({ key, chainId, rpc, now, ...limits });
  const settlement = createLocalSettler({
    rpc,
    relayer,
    gasWeiPerCent,
    confirmations,
    isShared,
    maxTogether,
    now,
  });
  return { relayer, settlement };
}
