import type { Scene } from './scene.ts';

/** One way of attacking the service. */
export type Kind = {
  readonly name: string;
  /** What must hold while it runs, in one sentence. */
  readonly promise: string;
  /** Measures time or memory: nothing else of the attack run goes on beside it. */
  readonly alone?: true;
  /** Takes long beside what it adds: left out of a single round of everything. */
  readonly isLong?: true;
  /** Tries everything and tells the scene what held. */
  run(scene: Scene): Promise<void>;
};

/** What came of a kind. */
export type Finding = {
  readonly group: string;
  readonly kind: Kind;
  readonly tries: number;
  /** What was observed when the promise was not held. */
  readonly violations: readonly string[];
  readonly durationMs: number;
};
