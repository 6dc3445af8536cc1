import { holdRates, readOperatorRates } from '../domain/statutory-rates.ts';
import { lateFeeReckoning } from '../operations/late-fee-reckoning.ts';
import { lateFeeView } from '../surfaces/pages/views/late-fee.ts';
import { type Calculator, startCalculator } from './free.ts';

const rates = document.querySelector<HTMLMetaElement>('meta[name="reference-rates"]')?.content ?? '';
holdRates(readOperatorRates(rates.split(',')));
startCalculator({ reckoning: lateFeeReckoning, view: lateFeeView } as unknown as Calculator);
