import lateFee from '../operations/late-fee.ts';
import lateFeeNotice from '../operations/late-fee-notice.ts';
import quote from '../operations/quote.ts';
import quotePack from '../operations/quote-pack.ts';
import type { Operation } from './operation.ts';

/** Every operation in the order a reader should meet them; documents and price lists keep this order. */
export const catalog: readonly Operation[] = [
  quote,
  lateFee,
  lateFeeNotice,
  quotePack,
] as readonly Operation[];
