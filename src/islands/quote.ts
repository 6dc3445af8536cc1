import { quoteReckoning } from '../operations/quote-reckoning.ts';
import { quoteView } from '../surfaces/pages/views/quote.ts';
import { type Calculator, startCalculator } from './free.ts';
import type { PaperKind } from './paperwork.ts';
import { rowTools } from './row-tools.ts';

startCalculator({
  reckoning: quoteReckoning,
  view: quoteView,
  rows: rowTools,
  paper: async () => {
    const [{ paperwork }, { quotePaper }] = await Promise.all([
      import('./paperwork.ts'),
      import('./quote-paper.ts'),
    ]);
    return { paperwork, kind: quotePaper as PaperKind<unknown> };
  },
} as unknown as Calculator);
