// `npm run ownership:message`: the text whose signature by the key of PAY_TO is X402_OWNERSHIP_PROOF.

import '../platform/node-version.ts';
import { configMessage } from '../config/config.ts';
import { readListening } from '../config/listening.ts';
import { readingOf } from '../config/reading.ts';
import { loadEnvFile } from '../platform/env-file.ts';

const EXIT_CONFIG = 78;

const unreadable = loadEnvFile();
const reading = readingOf(process.env);
const production = reading.choice('NODE_ENV', ['production', 'development', 'test']) === 'production';
const { publicBaseUrl } = readListening(reading, production);
if (unreadable !== null || reading.faults.length > 0) {
  process.stderr.write(`${unreadable ?? configMessage(reading.faults)}\n`);
  process.exit(EXIT_CONFIG);
}
// The text alone goes to standard output, so that it can be piped to a signer without an end of line in its way.
process.stdout.write(publicBaseUrl);
process.stderr.write(
  '\nSign exactly this text with the key of PAY_TO (personal_sign, EIP-191) and set X402_OWNERSHIP_PROOF to the signature.\n',
);
