/** The result of `work`; null if it throws, for example because data is unreadable or storage is forbidden. */
export function orNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
