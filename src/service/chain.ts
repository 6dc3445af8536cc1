import type { Config } from '../config/config.ts';
import type { EmbeddedChain } from '../devnet/chain.ts';
import type { HealthMonitor } from '../health/health.ts';
import type { Log } from '../platform/log.ts';

/** Starts the embedded chain where it is the settler. */
export async function embeddedChain(
  { settlers }: Config,
  { log, monitor }: { readonly log: Log; readonly monitor: HealthMonitor },
): Promise<EmbeddedChain | null> {
  if (settlers.every(({ kind }) => kind !== 'embedded')) return null;
  const { startChain } = await import('../devnet/chain.ts');
  const chain = await startChain();
  log.info('embedded_chain', { state: 'started', origin: chain.rpcUrl, duration_ms: chain.bootMs });
  // Free operations go on without it.
  void chain.closed.then(({ crashed }) => {
    if (!crashed) return;
    monitor.hasChainEnded = true;
    log.error('embedded_chain', { state: 'ended', origin: chain.rpcUrl });
    monitor.refresh();
  });
  return chain;
}
