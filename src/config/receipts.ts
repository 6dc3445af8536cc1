import { addressOfKey } from './address.ts';
import type { Payee } from './payee.ts';
import { publicAccounts } from './public-accounts.ts';
import type { Reading } from './reading.ts';
import { Secret } from './secret.ts';

/** The key that signs receipts, and those that did so before. */
export type Receipts = {
  /** null: receipts are not signed, except on the embedded chain, which generates a key. */
  readonly receiptKey: Secret | null;
  /** As `x` of a JWK. */
  readonly retiredReceiptKeys: readonly string[];
};

const MOST_RETIRED = 8;

/** Reads the receipt keys. The key is stored on a server, so it must not belong to an account that holds money. */
export function readReceipts(reading: Reading, payee: Payee, production: boolean): Receipts {
  const retiredReceiptKeys = reading.list('RETIRED_RECEIPT_KEYS', MOST_RETIRED, (key) =>
    /^[\w-]{43}$/.test(key) ? null : 'must be the 43 characters of x in /.well-known/did.json',
  );
  return { receiptKey: readKey(reading, payee, production), retiredReceiptKeys };
}

function readKey(reading: Reading, { payTo, relayer }: Payee, production: boolean): Secret | null {
  const text = reading.text('RECEIPT_KEY');
  if (text === null) return null;
  if (!/^0x[0-9a-fA-F]{64}$/.test(text))
    return reading.fault('RECEIPT_KEY', 'must be 0x and 64 hexadecimal digits');
  const account = addressOfKey(text);
  if (account !== null && account === payTo)
    return reading.fault('RECEIPT_KEY', 'is the key of PAY_TO; use one that holds no money');
  if (relayer !== null && relayer.address === account)
    return reading.fault('RECEIPT_KEY', 'is RELAYER_KEY; use one that holds no money');
  if (production && account !== null && publicAccounts.includes(account))
    return reading.fault('RECEIPT_KEY', 'is a development key that is public');
  return new Secret(text);
}
