import { quoteReckoning } from '../operations/quote-reckoning.ts';
import { quoteView } from '../surfaces/pages/views/quote.ts';
import { type Calculator, startCalculator } from './free.ts';

startCalculator({ reckoning: quoteReckoning, view: quoteView } as unknown as Calculator);
