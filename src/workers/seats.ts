import cluster, { type Worker } from 'node:cluster';
import type { Health } from '../health/health.ts';
import type { FromPrimary, FromWorker } from './messages.ts';
import { createRestarts, type Restarts } from './restarts.ts';

/** A place for a worker, which keeps its number whoever has it. */
export type Seat = {
  readonly number: number;
  readonly restarts: Restarts;
  worker: Worker | null;
  startedMs: number;
  /** Whether its present worker serves. */
  isServing: boolean;
  health: Health | null;
  timer: NodeJS.Timeout | undefined;
};

export const createSeats = (count: number): readonly Seat[] =>
  Array.from({ length: count }, (_, index) => ({
    number: index + 1,
    restarts: createRestarts(),
    worker: null,
    startedMs: 0,
    isServing: false,
    health: null,
    timer: undefined,
  }));

export type SeatEvents = {
  heard(seat: Seat, message: FromWorker): void;
  ended(seat: Seat, death: Death): void;
};
/** How a worker has ended: with an exit status or by a signal. */
export type Death = {
  readonly status: number | null;
  readonly signal: string | null;
  readonly hadServed: boolean;
};

/** Starts the same program once more, as the worker of this place. */
export function fill(seat: Seat, { heard, ended }: SeatEvents): void {
  cluster.setupPrimary({ args: [workerArgument(seat.number)] });
  const worker = cluster.fork();
  seat.worker = worker;
  seat.startedMs = performance.now();
  worker.on('message', (message: FromWorker) => heard(seat, message));
  // A message to one that is just ending breaks the line to it; that it ends is heard all the same.
  worker.on('error', () => undefined);
  worker.on('exit', (status: number | null, signal: string | null) => {
    const hadServed = seat.isServing;
    seat.worker = null;
    seat.isServing = false;
    seat.health = null;
    ended(seat, { status, signal, hadServed });
  });
}

/** Tells the worker of a place, where there is one that still listens. */
export function tell({ worker }: Seat, message: FromPrimary): void {
  if (worker?.isConnected()) worker.send(message, () => undefined);
}

const workerArgument = (number: number): string => `--worker=${number}`;
