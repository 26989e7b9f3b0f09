const MOST = 8

/** Tags that contain the text, the most used first, without those already set. */
export function suggest(all: readonly string[], typed: string, taken: readonly string[]): string[] {
  const wanted = plain(typed)
  const gone = new Set(taken.map(plain))
  return all.filter(tag => plain(tag).includes(wanted) && !gone.has(plain(tag))).slice(0, MOST)
}

/** Ignores case and accents. */
export function plain(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
