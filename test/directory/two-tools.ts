import { place, tool } from './tools.ts';

export const aa = place(tool('aa'));

export const bb = place(
  tool('bb', { hosting: ['desktop'], pricing: 'open_source', licence: 'MIT', free_limits: null }),
);
