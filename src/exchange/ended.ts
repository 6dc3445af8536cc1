import type { Answer } from '../catalog/operation.ts';
import type { Outcome } from './outcome.ts';

/** How a run without an answer ends; null when there is one. */
export function ended(answer: Answer<unknown>): Outcome | null {
  switch (answer.kind) {
    case 'answer':
      return null;
    case 'invalid':
      return { state: 'rejected', code: 'invalid_input', faults: answer.faults };
    case 'not_found':
      return { state: 'missing', detail: answer.detail };
    case 'no_answer':
      return {
        state: 'conflict',
        code: 'analysis_failed',
        detail: answer.detail,
        receipt: null,
        retryAfterSeconds: null,
      };
  }
}
