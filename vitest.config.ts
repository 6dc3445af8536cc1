import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A flake is a fault to find, not to repeat.
    retry: 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: ['test/performance/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // What measures time runs alone, after everything else.
          name: 'performance',
          include: ['test/performance/**/*.test.ts'],
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
