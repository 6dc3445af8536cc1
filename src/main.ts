import { configMessage, readConfig } from './config.ts';
import { createLog, faultFields } from './log.ts';
import { startService } from './service.ts';

// sysexits.h: the configuration is wrong. Supervisors need not restart what only a person can mend.
const EXIT_CONFIG = 78;

const reading = readConfig(process.env);
if (!reading.ok) {
  process.stderr.write(`${configMessage(reading.faults, reading.warnings)}\n`);
  process.exit(EXIT_CONFIG);
}
// Whoever reads the log may go away; the service stays.
process.stdout.on('error', () => undefined);
const { config, warnings } = reading;
const log = createLog({ level: config.logLevel, write: (line) => process.stdout.write(line) });
for (const { setting } of warnings) log.warn('setting_ignored', { setting });

try {
  const service = await startService(config, log);
  log.info('listening', {
    origin: service.url,
    network: config.network.caip2,
    settlers: config.settlers.map(({ kind }) => kind),
    duration_ms: performance.now(),
  });
  if (service.chain)
    process.stderr.write(
      `PLAY MONEY: payments settle on an embedded chain at ${service.chain.rpcUrl} and are worth nothing.\n`,
    );
  const stop = async (signal: NodeJS.Signals) => {
    log.info('draining', { reason: signal });
    const complete = await service.stop();
    log.info('stopped', { complete });
    process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  log.error('fault', { where: 'start', ...faultFields(error) });
  process.stderr.write('The service could not start; see the log line above.\n');
  process.exit(1);
}
