/**
 * The characters of a username: letters, digits, dot, underscore. An @ after a letter or digit is an e-mail address.
 */
const written = /(?<![\p{L}\p{M}\p{N}_])@([A-Za-z0-9._]+)/gu

export interface Mention {
  /** In the person's own spelling, whatever case the writer used. */
  username: string
  start: number
  end: number
}

/**
 * The people mentioned in a text, in order. A mention is an @ followed by a known username; trailing dots end the
 * sentence and are not part of it, unless a username ends with them.
 */
export function mentionsIn(text: string, usernames: ReadonlySet<string>): Mention[] {
  const known = new Map([...usernames].map(username => [username.toLowerCase(), username]))
  const longest = Math.max(0, ...[...known.keys()].map(name => name.length))
  const found: Mention[] = []
  for (const match of text.matchAll(written)) {
    const run = (match[1] ?? '').toLowerCase()
    // Bounded by the longest username: a text may end in thousands of dots.
    let name = run.slice(0, longest)
    if (/[^.]/.test(run.slice(longest))) continue
    while (name.endsWith('.') && !known.has(name)) name = name.slice(0, -1)
    const username = known.get(name)
    if (username !== undefined) found.push({ username, start: match.index, end: match.index + 1 + name.length })
  }
  return found
}
