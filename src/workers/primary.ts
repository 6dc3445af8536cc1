import { constants } from 'node:os';
import type { Config } from '../config/config.ts';
import { serveMetrics } from '../metrics/endpoint.ts';
import type { Log } from '../platform/log.ts';
import type { FromWorker } from './messages.ts';
import { createSeats, type Death, fill, type Seat, tell } from './seats.ts';
import { type TeamMetrics, teamMetrics } from './team-metrics.ts';

/** Several processes that serve one port, held together. */
export type Workers = {
  /** Resolves when all of them serve; never when one cannot start, for that ends this process. */
  readonly started: Promise<{ readonly origin: string }>;
  /** Has all of them end as one; resolves to whether everything under way came to its end. */
  stop(reason: string): Promise<boolean>;
  /** Ends them at once, and this process with them. */
  kill(signal: NodeJS.Signals): never;
};

// A worker lets what is under way end for 30 s.
const DRAIN_MS = 35_000;

/** What is known of all workers. */
type Team = {
  readonly seats: readonly Seat[];
  readonly log: Log;
  readonly metrics: TeamMetrics;
  /** Told of each worker that serves. */
  serving: (origin: string) => void;
  /** The end of all; null before it. */
  ending: { isComplete: boolean; gone(): void } | null;
  hasStarted: boolean;
};

/**
 * Starts the workers and replaces those that end unasked. The first one goes ahead: what keeps it from starting is said
 * once, and ends this process with its status. Throws when the port of the metrics cannot be had.
 */
export async function startWorkers(config: Config, log: Log): Promise<Workers> {
  const seats = createSeats(config.workers);
  const metrics = teamMetrics(seats);
  const team: Team = { seats, log, metrics, serving: () => {}, ending: null, hasStarted: false };
  if (config.metrics) {
    const { port, host, token } = config.metrics;
    await serveMetrics({ port, host, token: token?.reveal() ?? null, text: metrics.text });
  }
  const started = new Promise<{ origin: string }>((resolve) => {
    team.serving = (origin) => {
      const empty = team.hasStarted
        ? []
        : seats.filter(({ worker, timer }) => worker === null && timer === undefined);
      for (const seat of empty) start(team, seat);
      if (seats.some(({ isServing }) => !isServing)) return;
      team.hasStarted = true;
      resolve({ origin });
    };
  });
  const [first] = seats;
  if (first) start(team, first);
  return {
    started,
    stop: (reason) => end(team, reason, DRAIN_MS + config.drainDelaySeconds * 1_000),
    kill(signal) {
      killAll(team);
      process.exit(128 + constants.signals[signal]);
    },
  };
}

function start(team: Team, seat: Seat): void {
  fill(seat, {
    heard: (from, message) => heard(team, from, message),
    ended: (from, death) => ended(team, from, death),
  });
}

function heard(team: Team, seat: Seat, message: FromWorker): void {
  switch (message.kind) {
    case 'listening':
      seat.isServing = true;
      if (team.hasStarted) team.log.info('worker', { state: 'started', worker: seat.number });
      team.serving(message.origin);
      break;
    case 'health':
      seat.health = message.health;
      break;
    case 'metrics':
      team.metrics.heard(message);
      return;
    case 'stopped':
      if (team.ending && !message.complete) team.ending.isComplete = false;
      return;
  }
  tellOthers(team);
}

/** Each worker answers for all of them when it is asked how the service is. */
function tellOthers({ seats }: Team): void {
  const missing = seats.filter(({ isServing }) => !isServing).length;
  for (const seat of seats) {
    const others = seats.filter((other) => other !== seat && other.isServing);
    const health = others.flatMap((other) => other.health ?? []);
    // Of itself a worker knows better than we do whether it serves.
    tell(seat, { kind: 'others', health, missing: missing - (seat.isServing ? 0 : 1) });
  }
}

function ended(team: Team, seat: Seat, { status, signal, hadServed }: Death): void {
  const { ending, log, hasStarted } = team;
  if (ending !== null) {
    // Who was killed had no time for what it had under way.
    if (status !== 0) ending.isComplete = false;
    ending.gone();
    return;
  }
  const livedMs = performance.now() - seat.startedMs;
  const { number: worker } = seat;
  log.warn('worker', { state: 'ended', worker, status, signal, duration_ms: livedMs });
  const verdict = seat.restarts.ended({ hasServed: hadServed, livedMs });
  if (verdict.kind === 'give_up' || (!hasStarted && !hadServed)) {
    giveUp(team, seat, status);
    return;
  }
  team.metrics.restarted();
  tellOthers(team);
  seat.timer = setTimeout(() => {
    seat.timer = undefined;
    start(team, seat);
  }, verdict.afterMs);
}

/** A worker cannot start. Its own words have been written; its status becomes that of the whole. */
function giveUp(team: Team, { number }: Seat, status: number | null): void {
  team.log.error('worker', { state: 'given_up', worker: number, status });
  void end(team, 'START_FAULT', DRAIN_MS).then(() => process.exit(status || 1));
}

function end(team: Team, reason: string, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const ending = {
      isComplete: true,
      gone() {
        if (team.seats.some(({ worker }) => worker !== null)) return;
        clearTimeout(late);
        resolve(ending.isComplete);
      },
    };
    const late = setTimeout(() => killAll(team), limitMs);
    team.ending = ending;
    for (const seat of team.seats) {
      clearTimeout(seat.timer);
      tell(seat, { kind: 'drain', reason });
    }
    ending.gone();
  });
}

function killAll({ seats }: Team): void {
  for (const { worker } of seats) worker?.process.kill('SIGKILL');
}
