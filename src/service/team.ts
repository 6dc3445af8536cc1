import type { Health } from '../health/health.ts';

/** What a process leaves to the others where several serve one port. */
export type Team = {
  /** Takes note of how this process is. */
  tell(own: Health): void;
  /** How all of them are together, as whoever asks any of them shall be told. */
  whole(own: Health): Health;
  /** Has the metrics of this process shown among those of the others, at the one port that there is for them. */
  showMetrics(text: () => string): void;
};
