import { StartFault } from '../platform/start-fault.ts';
import type { startChain as start } from './chain.ts';

/** Stands in for `chain.ts` in the bundle, which sells for real money alone. */
export const startChain: typeof start = async () => {
  throw new StartFault(
    'The embedded chain of play money is not in the bundle: set SETTLERS, PAY_TO and what they need, or run npm start in the project itself.',
  );
};
