import '../platform/node-version.ts';
import { loadConfig } from '../config/config.ts';
import { examine, type Finding, lineOf, ok, warn } from '../doctor/examine.ts';
import { holdRates } from '../domain/statutory-rates.ts';
import { commandLine, EXIT_CONFIG } from '../platform/command-line.ts';

const USAGE = `Usage: npm run doctor [-- --env-file FILE]
Checks every setting against the chain, the facilitators, Redis and the public address, and says what to do. It sends no
payments and does not show secrets. Exit status: 0 if nothing FAILs, 1 if something does, 78 for wrong settings.
  --env-file FILE   read the settings from this file instead of .env; environment variables take precedence`;

const counts = { ok: 0, warn: 0, FAIL: 0 };

function tell(finding: Finding): void {
  counts[finding.verdict] += 1;
  process.stdout.write(`${lineOf(finding)}\n`);
}

const { 'env-file': file } = commandLine(USAGE, { 'env-file': { type: 'string' } }).values;
const settings = loadConfig(file);
if (typeof settings === 'string') {
  process.stdout.write(`FAIL  ${settings}\n`);
  process.exit(EXIT_CONFIG);
}
tell({ what: 'Settings', ...ok('all valid') });
for (const { setting, detail } of settings.warnings)
  tell({ what: setting, ...warn(`${detail}. Correct its name`) });
holdRates(settings.config.referenceRates);
for await (const finding of examine(settings.config)) tell(finding);
process.stdout.write(`${counts.ok} ok, ${counts.warn} to look at, ${counts.FAIL} wrong.\n`);
// Open connections would keep the process alive.
process.exit(counts.FAIL === 0 ? 0 : 1);
