import type { Health } from '../health/health.ts';

// What a worker and the process that started it tell each other.

export type FromWorker =
  | { readonly kind: 'listening'; readonly origin: string }
  | { readonly kind: 'health'; readonly health: Health }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string }
  | { readonly kind: 'stopped'; readonly complete: boolean };

export type FromPrimary =
  | { readonly kind: 'drain'; readonly reason: string }
  | { readonly kind: 'metrics'; readonly id: number }
  | ({ readonly kind: 'others' } & Others);

/** How the others are, and how many of those that there should be do not serve. */
export type Others = { readonly health: readonly Health[]; readonly missing: number };
