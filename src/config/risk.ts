import type { Reading } from './reading.ts';
import { Secret } from './secret.ts';

/** What an operator accepts to lose on gas and on reorganisations of the chain. */
export type Risk = {
  /** What gas may cost for each cent sold. */
  readonly gasGweiPerCent: number;
  readonly gasBudgetGweiPerHour: number;
  /** Blocks on top of a transfer before its answer is given. */
  readonly confirmations: number;
};

const GWEI_DECIMALS = 9;
const SHORTEST_TOKEN = 16;

export function readRisk(reading: Reading, hasChain: boolean): Risk {
  const confirmations = reading.whole('CONFIRMATIONS', 0, 64);
  if (confirmations > 0 && !hasChain)
    reading.fault('CONFIRMATIONS', 'needs RPC_URLS: without a node no block can be counted');
  return {
    gasGweiPerCent: reading.whole('MAX_GAS_GWEI_PER_CENT', 1, 100_000_000),
    gasBudgetGweiPerHour: readGwei(reading),
    confirmations,
  };
}

function readGwei(reading: Reading): number {
  const text = reading.text('GAS_BUDGET_ETH_PER_HOUR') ?? '';
  const [, whole, decimals = ''] = /^(\d{1,2})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const gwei = whole === undefined ? 0 : Number(whole + decimals.padEnd(GWEI_DECIMALS, '0'));
  if (gwei === 0 && !reading.isFaulty('GAS_BUDGET_ETH_PER_HOUR'))
    reading.fault('GAS_BUDGET_ETH_PER_HOUR', 'must be an amount of ETH over 0 and below 100, such as 0.02');
  return gwei;
}

/** The token of callers who may see more than others; null: nobody can. */
export function readToken(reading: Reading, name: 'HEALTH_TOKEN' | 'METRICS_TOKEN'): Secret | null {
  const text = reading.text(name);
  if (text === null) return null;
  if (!/^[\x21-\x7e]+$/.test(text) || text.length < SHORTEST_TOKEN)
    return reading.fault(name, `must be ${SHORTEST_TOKEN} characters or more, without spaces`);
  return new Secret(text);
}
