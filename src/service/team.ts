import type { Health } from '../health/health.ts';

/** What processes that serve one port do together. */
export type Team = {
  /** Reports the health of this process to the others. */
  tell(own: Health): void;
  /** The health of all processes together, as any of them reports it. */
  whole(own: Health): Health;
  /** Adds the metrics of this process to those of the others, at their common port. */
  showMetrics(text: () => string): void;
};
