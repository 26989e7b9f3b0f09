/** Logs an error that is not shown on the page. */
export function logError(what: string, error: unknown): void {
  console.error(what, error)
}
