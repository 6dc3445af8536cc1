import type { Scene } from './scene.ts';

/** One way of attacking the service. */
export type Kind = {
  readonly name: string;
  /** What must hold during the attack, in one sentence. */
  readonly promise: string;
  /** Makes the attempts and reports the results to the scene. */
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
