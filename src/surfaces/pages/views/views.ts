import type { View } from '../../../catalog/operation.ts';
import type { Block } from '../content.ts';
import { lateFeeView } from './late-fee.ts';
import { quoteView } from './quote.ts';

const views: Partial<Record<View, (body: never) => readonly Block[]>> = {
  late_fee: lateFeeView,
  quote: quoteView,
};

/** How the answers of an operation are shown. */
export const viewOf = (view: View): ((body: unknown) => readonly Block[]) =>
  (views[view] ?? (() => [])) as (body: unknown) => readonly Block[];
