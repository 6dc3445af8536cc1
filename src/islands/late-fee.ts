import { lateFeeReckoning } from '../operations/late-fee-reckoning.ts';
import { lateFeeView } from '../surfaces/pages/views/late-fee.ts';
import { type Calculator, startCalculator } from './free.ts';

startCalculator({ reckoning: lateFeeReckoning, view: lateFeeView } as unknown as Calculator);
