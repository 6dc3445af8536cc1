import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const MARKUP = fileURLToPath(new URL('src/surfaces/pages/markup.ts', import.meta.url));

// Suites that cannot run here; `npm test` names them. Projects do not take the option --exclude over.
const leftOut = (process.env.TEST_LEFT_OUT ?? '').split('\n').filter(Boolean);

export default defineConfig({
  // One module, by whichever name; and no other one for development.
  resolve: { alias: { '#markup/jsx-runtime': MARKUP } },
  oxc: { jsx: { development: false } },
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is waited for comes late on a busy machine; a test that waits in vain fails all the same.
    expect: { poll: { timeout: 10_000, interval: 20 } },
    maxWorkers: 2,
    // A flake is a fault to find, not to repeat.
    retry: 0,
    projects: [
      {
        extends: true,
        test: {
          name: 'all',
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: ['test/performance/**', 'test/{http,payments,privacy}/**', ...leftOut],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Between these tests and the service stands a proxy that validates against its OpenAPI document.
          name: 'http',
          include: ['test/{http,payments,privacy}/**/*.test.ts'],
          exclude: leftOut,
          globalSetup: ['test/support/validating-proxy/setup.ts'],
          setupFiles: ['test/support/validating-proxy/install.ts'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // What measures time runs alone, after everything else.
          name: 'performance',
          include: ['test/performance/**/*.test.ts'],
          exclude: leftOut,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
