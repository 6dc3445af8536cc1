import '../platform/node-version.ts';
import { constants } from 'node:os';
import { type Config, loadConfig } from '../config/config.ts';
import { commandLine, EXIT_CONFIG } from '../platform/command-line.ts';
import { createLog, faultFields, type Log } from '../platform/log.ts';
import { release } from '../platform/release.ts';
import { StartFault } from '../platform/start-fault.ts';
import type { Service } from '../service/service.ts';

// Ctrl-C under npm arrives twice: from the terminal, and passed on by npm.
const ECHO_MS = 500;

const USAGE = `Usage: npm start
Starts the service with the settings in the environment and in .env (docs/configuration.md).
To check them first, run npm run doctor.`;

commandLine(USAGE, {});
const settings = loadConfig();
if (typeof settings === 'string') {
  process.stderr.write(`${settings}\n`);
  process.exit(EXIT_CONFIG);
}
// The service continues even if nobody reads its log anymore.
process.stdout.on('error', () => undefined);
const { config, warnings } = settings;
const log = createLog({
  level: config.logLevel,
  write: (line, onLost) => process.stdout.write(line, (error) => void (error && onLost())),
});
const isReal = config.settlers.every(({ kind }) => kind !== 'embedded');
if (isReal && !config.production) log.warn('not_production', { origin: config.publicBaseUrl });
for (const { setting } of warnings) log.warn('setting_ignored', { setting });
// Unhandled rejections also come here. The state is then unknown, so the process exits and its supervisor starts a new
// one.
process.on('uncaughtException', (error) => {
  log.error('fault', { where: 'process', ...faultFields(error) });
  process.exit(1);
});

try {
  await startAndListen(config, log);
} catch (error) {
  log.error('fault', { where: 'start', ...faultFields(error) });
  const why =
    error instanceof StartFault ? error.message : 'The service could not start; see the log line above.';
  process.stderr.write(`${why}\n`);
  process.exit(error instanceof StartFault && error.isOfSettings ? EXIT_CONFIG : 1);
}

async function startAndListen(config: Config, log: Log): Promise<void> {
  const { startService } = await import('../service/service.ts');
  const service = await startService(config, log);
  // Handles signals before the service reports that it listens, so that an early signal cannot cut off purchases.
  drainOnSignal(log, service);
  sayListening(config, log, service.url);
  if (service.chain)
    process.stderr.write(
      `PLAY MONEY: payments settle on an embedded chain at ${service.chain.rpcUrl} and are worth nothing. Real USDC cannot be paid to it.\n`,
    );
}

function sayListening({ network, settlers, ...config }: Config, log: Log, origin: string): void {
  log.info('listening', {
    version: release.version,
    origin,
    network: network.caip2,
    settlers: settlers.map(({ kind }) => kind),
    duration_ms: performance.now(),
  });
  if (isReal && !config.production)
    process.stderr.write(
      `NODE_ENV is not production, although the money is real: plain http is allowed, and buyers see the address ${config.publicBaseUrl}.\n`,
    );
}

/** After the first signal, pending purchases are completed; a second signal ends the process at once. */
function drainOnSignal(log: Log, service: Service): void {
  let startedMs: number | null = null;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (startedMs !== null) {
      if (performance.now() - startedMs > ECHO_MS) process.exit(128 + constants.signals[signal]);
      return;
    }
    startedMs = performance.now();
    log.info('draining', { reason: signal, open_requests: service.openRequests() });
    const complete = await service.stop();
    log[complete ? 'info' : 'warn']('stopped', { complete, duration_ms: performance.now() - startedMs });
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
}
