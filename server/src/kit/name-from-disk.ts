/** A name in the form that the API accepts: NFC, trimmed, limited in length. */
export function nameFromDisk(name: string, longest: number): string {
  return [...name.normalize('NFC').trim()].slice(0, longest).join('').trim()
}
