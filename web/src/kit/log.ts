/** What went wrong without the person having to know: for whoever looks into the browser's console afterwards. */
export function logError(what: string, error: unknown): void {
  console.error(what, error)
}
