import type { View } from '../../../catalog/operation.ts';
import type { Block } from '../content.ts';
import { directoryView } from './directory.ts';
import { lateFeeView } from './late-fee.ts';
import { letterView } from './letter.ts';
import { listingView } from './listing.ts';
import { packView } from './pack.ts';
import { quoteView } from './quote.ts';
import { reportSample, reportView } from './report.ts';

const views: Readonly<Record<View, (body: never) => readonly Block[]>> = {
  late_fee: lateFeeView,
  quote: quoteView,
  letter: letterView,
  pack: packView,
  report: reportView,
  directory: directoryView,
  listing: listingView,
};

/** How the answers of an operation are shown; a body is one that the operation answered. */
export const viewOf = (view: View): ((body: unknown) => readonly Block[]) =>
  views[view] as (body: unknown) => readonly Block[];

/** What a page shows of a documented answer: all of it, but of a report no more than its kind. */
export const sampleOf = (view: View): ((body: unknown) => readonly Block[]) =>
  view === 'report' ? (body) => reportSample(body as never) : viewOf(view);
