import { place, tool } from './tools.ts';

/** A tool on a vendor's own servers. */
export const aa = place(tool('aa'));

/** A desktop tool with an open license. */
export const bb = place(
  tool('bb', { hosting: ['desktop'], pricing: 'open_source', licence: 'MIT', free_limits: null }),
);
