/** A value that is there already, or the promise of one. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Goes on with a value: in the same turn when it is there already, so that only waiting costs a turn. */
export const chain = <Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> => (value instanceof Promise ? value.then(next) : next(value));
