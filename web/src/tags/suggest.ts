const MOST = 8

/** The family's tags that contain what was typed, the most used first, without those that are there already. */
export function suggest(all: readonly string[], typed: string, taken: readonly string[]): string[] {
  const wanted = plain(typed)
  const gone = new Set(taken.map(plain))
  return all.filter(tag => plain(tag).includes(wanted) && !gone.has(plain(tag))).slice(0, MOST)
}

/** Whatever case or accents. */
function plain(text: string): string {
  return text.trim().normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
