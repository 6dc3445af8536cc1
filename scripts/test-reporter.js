// Reports to scripts/test.js how many tests passed, failed and were skipped, which were skipped, and which passed only
// at a second try, because vitest's exit code does not.
import { writeFileSync } from 'node:fs';

export default class Counts {
  onTestRunEnd(modules, unhandledErrors) {
    const counts = {
      passed: 0,
      failed: unhandledErrors.length,
      skipped: 0,
      skippedNames: [],
      retriedNames: [],
    };
    for (const file of modules) {
      for (const test of file.children.allTests()) {
        const { state } = test.result();
        // A test still pending when the run ends has not passed.
        counts[state === 'pending' ? 'failed' : state] += 1;
        const name = `${file.relativeModuleId}: ${test.fullName}`;
        if (state === 'skipped') counts.skippedNames.push(name);
        if (test.diagnostic()?.flaky) counts.retriedNames.push(name);
      }
      // A file that does not load, or a hook that throws, fails without a named test.
      counts.failed += file.errors().length;
      for (const suite of file.children.allSuites()) counts.failed += suite.errors().length;
    }
    writeFileSync(process.env.TEST_COUNTS_FILE, JSON.stringify(counts));
  }
}
