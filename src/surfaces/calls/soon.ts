/** What is there already, or will be. */
export type Soon<Value> = Value | Promise<Value>;

/** Goes on at once with what is there: only an answer that nothing is waited for leaves in the same turn. */
export const andThen = <Value, Next>(value: Soon<Value>, next: (value: Value) => Soon<Next>): Soon<Next> =>
  value instanceof Promise ? value.then(next) : next(value);
