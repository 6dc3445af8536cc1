import { StartFault } from '../platform/start-fault.ts';
import type { startChain as start } from './chain.ts';

/** Replaces `chain.ts` in the bundle, which sells only for real money. */
export const startChain: typeof start = async () => {
  throw new StartFault(
    'The embedded play-money chain is not in the bundle: set SETTLERS, PAY_TO and the settings that they require, or run npm start in the project itself.',
    { isOfSettings: true },
  );
};
