// Part of `npm run check`: a test uses conditions, counts and injected clocks, never elapsed time, and does not sleep
// for a fixed time. The soak and attack suites run in real time and are exempt.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The one helper that waits for a condition. */
const HELPER = 'test/support/until.ts';

const READS = [
  [/\b(performance\.now|cpuUsage|hrtime)\b/, 'reads a clock'],
  [/Date\.now\(\)\s*(-\s*[a-zA-Z]|[<>])|[^=][<>]=?\s*Date\.now\(\)|-\s*Date\.now\(\)/, 'judges by the clock'],
  // A wait of 200 ms or more in a test cannot be distinguished from the delay of a busy machine.
  [/\b(sleep|delay|pause|wait|setTimeout)\([^;]*\b([2-9]\d\d|\d{4,}|\d+_\d{3})\)/, 'sleeps for a fixed time'],
];

const isTestSide = (file) =>
  (/^test\/.*\.ts$/.test(file) && !/^test\/(soak|attacks)\//.test(file)) ||
  /^src\/.*\.test\.tsx?$/.test(file);

const files = ['src', 'test']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => join(folder, file)))
  .map((file) => file.replaceAll('\\', '/'))
  .filter(isTestSide);

const findings = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      READS.flatMap(([pattern, what]) => (pattern.test(line) ? [{ file, line: index + 1, what }] : [])),
    ),
);
const complaints = findings
  .filter(({ file }) => file !== HELPER)
  .map(({ file, line, what }) => `${file}:${line} ${what}`);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;
