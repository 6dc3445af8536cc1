/** Sets an entry as the newest one, and deletes the oldest one beyond `most`. */
export function keepNewest<Key, Value>(
  entries: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  most: number,
): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size > most) for (const oldest of entries.keys()) return void entries.delete(oldest);
}
