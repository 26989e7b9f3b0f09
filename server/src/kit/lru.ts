/** Sets a value in a map used as an LRU cache: over `maxSize`, the entry that was set longest ago is evicted. */
export function setLru<Key, Value>(cache: Map<Key, Value>, maxSize: number, key: Key, value: Value): void {
  cache.delete(key)
  cache.set(key, value)
  if (cache.size <= maxSize) return
  const [oldest] = cache.keys()
  if (oldest !== undefined) cache.delete(oldest)
}
