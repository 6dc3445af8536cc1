import type { Kind } from './kind.ts';
import { nameKinds } from './kinds/names.ts';
import { paymentKinds } from './kinds/payments.ts';
import { transferKinds } from './kinds/transfers.ts';
import { walletKinds } from './kinds/wallets.ts';

/** Everything that is tried, in the order of the table. */
export const groups: Readonly<Record<string, readonly Kind[]>> = {
  'several transfers in one transaction': transferKinds,
  payments: paymentKinds,
  names: nameKinds,
  'contract wallets': walletKinds,
};
