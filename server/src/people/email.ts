/**
 * E-mails are compared with only A to Z lowercased. Unicode lowercasing would also map other characters to ASCII
 * letters (the Kelvin sign becomes a k), and so one person's address to another's.
 */
export function comparableEmail(email: string): string {
  return email.replace(/[A-Z]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 32))
}

/** Only ASCII addresses may be listed: others have look-alikes and several encodings of the same text. */
export function isAsciiEmail(email: string): boolean {
  return /^[\x21-\x7e]+$/.test(email)
}
