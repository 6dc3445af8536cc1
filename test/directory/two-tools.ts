import { place, tool } from './tools.ts';

/** A tool of a vendor's own servers. */
export const aa = place(tool('aa'));

/** One that runs on a desktop, under an open licence. */
export const bb = place(
  tool('bb', { hosting: ['desktop'], pricing: 'open_source', licence: 'MIT', free_limits: null }),
);
