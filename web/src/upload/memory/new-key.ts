/** A name that nothing else has. Browsers make UUIDs over secure connections only, and a home network may have none. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
