// `npm run purchases`: what a payment bought, whether and when it was answered, and what to tell its buyer.
import '../platform/node-version.ts';
import { configMessage, readConfig } from '../config/config.ts';
import { utcDay } from '../domain/calendar.ts';
import { commandLine, EXIT_USAGE, loadEnvFile } from '../platform/command-line.ts';
import { lookUp, OPTIONS, readQuery, USAGE } from '../purchases/look-up.ts';

// sysexits.h: the configuration is wrong.
const EXIT_CONFIG = 78;

const asked = readQuery(commandLine(USAGE, OPTIONS).values, utcDay(Date.now()));
if (typeof asked === 'string') {
  process.stderr.write(`${asked}. --help lists the options.\n`);
  process.exit(EXIT_USAGE);
}
const { envFile } = asked;
const unreadable = loadEnvFile(envFile, { mustExist: envFile !== undefined });
const reading = readConfig(process.env);
if (unreadable !== null || !reading.ok) {
  process.stderr.write(
    `${unreadable ?? (reading.ok ? '' : configMessage(reading.faults, reading.warnings))}\n`,
  );
  process.exit(EXIT_CONFIG);
}
const { out, err, status } = await lookUp(reading.config, asked, Date.now);
process.stderr.write(err);
process.stdout.write(out, () => process.exit(status));
