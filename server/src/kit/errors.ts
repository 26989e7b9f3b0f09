/** All error codes of the API with their HTTP status. */
const statusOf = {
  malformed: 400,
  not_signed_in: 401,
  access_denied: 401,
  forbidden: 403,
  not_found: 404,
  timed_out: 408,
  conflict: 409,
  too_large: 413,
  not_a_photo_or_video: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  hash_mismatch: 422,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof statusOf

/** An error whose message may be shown to the person who caused it. */
export class AppError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options)
    this.name = 'AppError'
    this.code = code
  }

  get status(): number {
    return statusOf[this.code]
  }
}
