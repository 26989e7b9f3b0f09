/** Puts a value at the end of a map that holds no more than so many: the one that was put there longest ago goes. */
export function keepNewest<Key, Value>(kept: Map<Key, Value>, most: number, key: Key, value: Value): void {
  kept.delete(key)
  kept.set(key, value)
  if (kept.size <= most) return
  const [oldest] = kept.keys()
  if (oldest !== undefined) kept.delete(oldest)
}
