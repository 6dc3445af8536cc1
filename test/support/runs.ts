/** How often a property is tried: `full` times in `npm run test:full`, at most `quick` times in `npm test`. */
export const runs = (full: number, quick = 300): number =>
  process.env.TEST_SCOPE === 'full' ? full : Math.min(full, quick);
