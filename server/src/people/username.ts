const LONGEST = 40

/** The e-mail's local part, kept to what a mention can hold: letters, digits, dots and underscores. */
export function usernameFrom(email: string): string {
  const local = email.split('@')[0] ?? ''
  const kept = local
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._]/g, '')
    .replace(/\.{2,}/g, '.')
    .slice(0, LONGEST)
    // A dot that ends a sentence is no part of a mention, so no name may end in one.
    .replace(/^\.+|\.+$/g, '')
  return kept || 'member'
}

export function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  for (let number = 2; ; number++) {
    const name = `${wanted}${number}`
    if (!taken.has(name)) return name
  }
}
