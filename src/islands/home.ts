import { lateFeeReckoning } from '../operations/late-fee-reckoning.ts';
import { lateFeeBrief } from '../surfaces/pages/views/late-fee-brief.ts';
import { type Calculator, startCalculator } from './free.ts';

startCalculator({ reckoning: lateFeeReckoning, view: lateFeeBrief } as unknown as Calculator);
