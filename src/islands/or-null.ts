/** What `work` gives; null where it throws, such as for what cannot be read or where the browser forbids storage. */
export function orNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
