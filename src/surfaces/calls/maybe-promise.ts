/** A value, or the promise of one. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues with a value, in the same turn if it is not a promise, so that only waiting costs a turn. */
export const andThen = <Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> => (value instanceof Promise ? value.then(next) : next(value));
