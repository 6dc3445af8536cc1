// `npm run purchases`: what a payment bought, whether and when it was answered, and what to tell its buyer.
import '../platform/node-version.ts';
import { loadConfig } from '../config/config.ts';
import { utcDay } from '../domain/calendar.ts';
import { commandLine, EXIT_CONFIG, EXIT_USAGE } from '../platform/command-line.ts';
import { lookUp, OPTIONS, readQuery, USAGE } from '../purchases/look-up.ts';

const asked = readQuery(commandLine(USAGE, OPTIONS).values, utcDay(Date.now()));
if (typeof asked === 'string') {
  process.stderr.write(`${asked}. --help lists the options.\n`);
  process.exit(EXIT_USAGE);
}
const settings = loadConfig(asked.envFile);
if (typeof settings === 'string') {
  process.stderr.write(`${settings}\n`);
  process.exit(EXIT_CONFIG);
}
const { out, err, status } = await lookUp(settings.config, asked, Date.now);
process.stderr.write(err);
process.stdout.write(out, () => process.exit(status));
