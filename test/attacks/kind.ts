import type { Scene } from './scene.ts';

/** One way of attacking the service. */
export type Kind = {
  readonly name: string;
  /** What must hold during the attack, in one sentence. */
  readonly promise: string;
  /** Set if it measures time or memory: no other attack runs beside it. */
  readonly alone?: true;
  /** Set if it is slow for what it adds: it is left out of a single round of everything. */
  readonly isLong?: true;
  /** Makes the attempts and tells the scene what held. */
  run(scene: Scene): Promise<void>;
};

/** The result of a kind. */
export type Finding = {
  readonly group: string;
  readonly kind: Kind;
  readonly tries: number;
  /** What was observed if the promise did not hold. */
  readonly violations: readonly string[];
  readonly durationMs: number;
};
