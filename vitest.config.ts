import { defineConfig } from 'vitest/config';

// Suites whose programs or tools are missing here; scripts/test.js names them.
const missing = (process.env.TEST_LEFT_OUT ?? '').split('\n').filter(Boolean);

// `quick` is `npm test`, `full` is `npm run test:full`, `named` is either with the names of files.
const scope = process.env.TEST_SCOPE ?? 'named';

// `name.test.ts` needs nothing beyond memory and the chain. Another word before `.test.ts` says what else the file needs.
const BEYOND_MEMORY = '**/*.*.test.{ts,tsx}';
const WALK = 'test/pages/walk.browser.test.ts';
const IN_BROWSERS = 'test/pages/**/*.*.test.ts';
const BEHIND_PROXY = 'test/{http,payments,privacy}/**/*.test.ts';

// A proxy between the tests and the service validates every answer against the OpenAPI document.
const behindProxy = {
  globalSetup: ['test/support/validating-proxy/setup.ts'],
  setupFiles: ['test/support/validating-proxy/install.ts'],
};
// Files share a process where they use only memory, the chain or a browser, because a process of its own for each file
// takes longer than most of them. `full` isolates those in memory, which proves that they do not depend on each other.
const shared = { isolate: false };
const inMemory = { isolate: scope === 'full' };

// On a busy machine, a browser, the chain or another program may not be ready for a step. A test that needs its second
// try is named at the end of the run. Tests in memory have one try.
const again = { retry: scope === 'full' ? 1 : 0 };

const project = (name: string, include: string[], exclude: string[], more: object) => ({
  extends: true as const,
  test: { name, include, exclude: [...exclude, ...missing], ...more },
});

export default defineConfig({
  oxc: { jsx: { development: false } },
  test: {
    // A test takes seconds, but another program may occupy the machine for longer.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A condition may become true late on a busy machine. A test that waits in vain still fails.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    maxWorkers: 2,
    retry: 0,
    setupFiles: ['test/support/properties.ts'],
    projects: [
      project('memory', ['{src,test}/**/*.test.{ts,tsx}'], [BEHIND_PROXY, BEYOND_MEMORY], inMemory),
      project('proxied', [BEHIND_PROXY], [BEYOND_MEMORY], { ...shared, ...again, ...behindProxy }),
      ...(scope === 'quick'
        ? [project('pages', [WALK], [], {})]
        : [
            project('browsers', [IN_BROWSERS], [], { ...shared, ...again }),
            project('programs', ['{src,test}/**/*.*.test.{ts,tsx}'], [BEHIND_PROXY, IN_BROWSERS], again),
            project('programs, proxied', ['test/{http,payments,privacy}/**/*.*.test.ts'], [], {
              ...again,
              ...behindProxy,
            }),
          ]),
    ],
  },
});
