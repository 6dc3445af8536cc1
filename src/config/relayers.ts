import { type Address, addressOfKey } from './address.ts';
import { publicAccounts } from './public-accounts.ts';
import type { Reading } from './reading.ts';
import { Secret } from './secret.ts';
import type { SettlerChoice } from './settlers.ts';

/** An account that pays for gas. */
export type RelayerAccount = {
  readonly key: Secret;
  readonly address: Address;
};

/** How the local settler uses its account. */
export type Relaying = {
  /** How many transactions the account may have pending. */
  readonly maxOutstanding: number;
  /** How many waiting payments one transaction settles at most; 1 for no batches. */
  readonly maxTogether: number;
};

/** What decides whether keys are leased. */
type SharedResources = {
  readonly settlers: readonly SettlerChoice[];
  readonly hasRedis: boolean;
  /** Number of relayer accounts. */
  readonly relayerKeys: number;
};

const MOST_KEYS = 64;
// The receipt of more payments would exceed the longest that is read.
const MAX_TOGETHER = 32;

export const readRelaying = (reading: Reading): Relaying => ({
  maxOutstanding: reading.whole('MAX_OUTSTANDING_TRANSACTIONS', 1, 512),
  maxTogether: reading.whole('MAX_PAYMENTS_PER_TRANSACTION', 1, MAX_TOGETHER),
});

/** The keys of RELAYER_KEYS in their order, or the one of RELAYER_KEY. */
export function readRelayers(
  reading: Reading,
  payTo: Address | null,
  production: boolean,
): readonly RelayerAccount[] {
  const alone = reading.text('RELAYER_KEY');
  const listed = reading.list('RELAYER_KEYS', MOST_KEYS);
  if (alone !== null && listed.length > 0)
    reading.fault('RELAYER_KEYS', 'is set beside RELAYER_KEY; move that key into it');
  const setting = listed.length > 0 ? 'RELAYER_KEYS' : 'RELAYER_KEY';
  const known = new Map<Address | null, string>();
  return (listed.length > 0 ? listed : alone === null ? [] : [alone]).flatMap((text, index) => {
    const address = addressOfKey(text);
    const fault =
      faultOf(address, payTo, production) ??
      // The same text twice has been reported already.
      (known.get(address) !== undefined && known.get(address) !== text
        ? 'is the key of an entry before it'
        : null);
    if (fault !== null) {
      reading.fault(setting, `${listed.length > 0 ? `entry ${index + 1} ` : ''}${fault}`);
      return [];
    }
    known.set(address, text);
    return [Object.freeze({ key: new Secret(text), address: address as Address })];
  });
}

function faultOf(address: Address | null, payTo: Address | null, production: boolean): string | null {
  if (address === null) return 'must be a private key: 0x and 64 hexadecimal digits';
  if (production && publicAccounts.includes(address)) return 'is a development key that is public';
  // The relayer's key is stored on a server; the income must not depend on the same key.
  return address === payTo ? 'is the key of PAY_TO; use a separate account for gas' : null;
}

/**
 * Whether processes lease the keys from each other through Redis. Without Redis there is one process with one key.
 */
export function readLeasing(reading: Reading, { settlers, hasRedis, relayerKeys }: SharedResources): boolean {
  if (!reading.isSet('RELAYER_KEYS')) return false;
  const isAlone = relayerKeys === 1 && !reading.isFaulty('RELAYER_KEYS');
  const settles = settlers.some(({ kind }) => kind === 'local');
  if (settles && !hasRedis && !isAlone && !reading.isFaulty('REDIS_URL'))
    reading.fault(
      'REDIS_URL',
      'is missing; processes lease the keys of RELAYER_KEYS from each other through it. Without it one process settles, with one key',
    );
  return hasRedis;
}
