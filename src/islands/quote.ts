import { quoteReckoning } from '../operations/quote-reckoning.ts';
import { quoteView } from '../surfaces/pages/views/quote.ts';
import { type Calculator, startCalculator } from './free.ts';
import type { PaperKind } from './paperwork.ts';
import { type PaperModule, resultDocument } from './result-document.ts';
import { rowTools } from './row-tools.ts';

startCalculator({
  reckoning: quoteReckoning,
  view: quoteView,
  rows: rowTools,
  document: (hooks) => resultDocument(paperModule, hooks),
} as Calculator);

async function paperModule(): Promise<PaperModule> {
  const [{ paperwork }, { quotePaper }] = await Promise.all([
    import('./paperwork.ts'),
    import('./quote-paper.ts'),
  ]);
  return { paperwork, kind: quotePaper as PaperKind<unknown> };
}
