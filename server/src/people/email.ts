/**
 * E-mails are compared with only A to Z in one case. Unicode's lower case would also turn other characters into ASCII
 * letters (the Kelvin sign becomes a k), and so one person's address into another's.
 */
export function comparableEmail(email: string): string {
  return email.replace(/[A-Z]/g, letter => String.fromCharCode(letter.charCodeAt(0) + 32))
}

/** Only such an address may be on a list: others have look-alikes, and several spellings of the same text. */
export function isAsciiEmail(email: string): boolean {
  return /^[\x21-\x7e]+$/.test(email)
}
