/**
 * One error in a caller's input. `pointer` is a JSON pointer into that input by wire names ('/items/3/unit_price'),
 * `code` is stable, `detail` completes a sentence that begins with the field, `hint` says what to send instead.
 */
export type Fault = {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
  readonly hint?: string;
};

/** A value, or every fault that prevents it, never only the first. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly faults: readonly Fault[] };
