import '../platform/node-version.ts';
import { configMessage, readConfig } from '../config/config.ts';
import { examine, type Finding, lineOf, ok, warn } from '../doctor/examine.ts';
import { holdRates } from '../domain/statutory-rates.ts';
import { commandLine, loadEnvFile } from '../platform/command-line.ts';

// sysexits.h: the configuration is wrong.
const EXIT_CONFIG = 78;

const USAGE = `Usage: npm run doctor [-- --env-file FILE]
Checks every setting against the chain, the facilitators, Redis and the public address, and says what to do. It sends no
payment and shows no secret. Exit status: 0 if nothing FAILs, 1 if something does, 78 for wrong settings.
  --env-file FILE   read the settings from this file instead of .env; environment variables take precedence`;

const counts = { ok: 0, warn: 0, FAIL: 0 };

function tell(finding: Finding): void {
  counts[finding.verdict] += 1;
  process.stdout.write(`${lineOf(finding)}\n`);
}

const { 'env-file': file } = commandLine(USAGE, { 'env-file': { type: 'string' } }).values;
const unreadable = loadEnvFile(file, { mustExist: file !== undefined });
const reading = readConfig(process.env);
if (unreadable !== null || !reading.ok) {
  if (unreadable !== null) process.stdout.write(`FAIL  ${unreadable}\n`);
  if (!reading.ok) process.stdout.write(`FAIL  ${configMessage(reading.faults, reading.warnings)}\n`);
  process.exit(EXIT_CONFIG);
}
tell({ what: 'Settings', ...ok('all valid') });
for (const { setting, detail } of reading.warnings)
  tell({ what: setting, ...warn(`${detail}. Correct its name`) });
holdRates(reading.config.referenceRates);
for await (const finding of examine(reading.config)) tell(finding);
process.stdout.write(`${counts.ok} ok, ${counts.warn} to look at, ${counts.FAIL} wrong.\n`);
// Open connections would keep the process alive.
process.exit(counts.FAIL === 0 ? 0 : 1);
