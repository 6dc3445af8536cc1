import cluster from 'node:cluster';
import type { Health } from '../health/health.ts';
import type { Team } from '../service/team.ts';
import type { FromPrimary, FromWorker, Others } from './messages.ts';
import { wholeHealth } from './whole-health.ts';

/** A worker's end of the line to the process that started it. */
export type WorkerTeam = Team & {
  /** It serves from now on; `drain` is called once when all are to end, or when nobody is left to say so. */
  listening(origin: string, drain: (reason: string) => Promise<boolean>): void;
};

/** Joins the team of the process that started this one. Signals are left to that one: they may reach the whole group. */
export function joinTeam(): WorkerTeam {
  let others: Others = { health: [], missing: 0 };
  let metrics: (() => string) | null = null;
  let drain: ((reason: string) => Promise<boolean>) | null = null;
  let told = '';
  let isEnding = false;
  const send = (message: FromWorker, done: () => void = () => {}) => {
    if (process.connected) process.send?.(message, undefined, undefined, done);
    else done();
  };

  async function end(reason: string): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    const complete = drain === null || (await drain(reason));
    send({ kind: 'stopped', complete }, () => process.exit(0));
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  cluster.worker?.on('disconnect', () => {
    // Node.js would end it here and now, with purchases under way.
    if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
    void end('DISCONNECTED');
  });
  process.on('message', (message: FromPrimary) => {
    if (message.kind === 'drain') void end(message.reason);
    else if (message.kind === 'others') others = message;
    else if (message.kind === 'metrics') send({ kind: 'metrics', id: message.id, text: metrics?.() ?? '' });
  });
  const tell = (health: Health) => {
    const text = JSON.stringify(health);
    if (text !== told) send({ kind: 'health', health });
    told = text;
  };
  return {
    tell,
    whole: (own) => wholeHealth(own, others),
    showMetrics(text) {
      metrics = text;
    },
    listening(origin, how) {
      drain = how;
      send({ kind: 'listening', origin });
    },
  };
}
