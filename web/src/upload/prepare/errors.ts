/** A file that can't be prepared, and can't be sent either. Its message is one of the specification's. */
export class PreparationError extends Error {
  override readonly name = 'PreparationError'
}

/** The browser is not up to this file; its message is the sentence that says why. */
export class LeftToServer extends Error {
  override readonly name = 'LeftToServer'
}

/** A file that was chosen and has gone, or whose card has been pulled out. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && ['NotReadableError', 'NotFoundError'].includes(error.name)
}
