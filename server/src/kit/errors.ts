import { type ErrorKey, type ErrorValues, type Refusal, refusalInWords } from '#messages/errors.ts'
import { textsIn } from './messages.ts'

/** All error codes of the API with their HTTP status. */
const statusOf = {
  malformed: 400,
  not_signed_in: 401,
  session_expired: 401,
  access_denied: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timed_out: 408,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  not_a_photo_or_video: 415,
  range_not_satisfiable: 416,
  invalid: 422,
  hash_mismatch: 422,
  locked: 423,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
} as const satisfies Record<string, number>

export type ErrorCode = keyof typeof statusOf

/** The values of its message, if it takes any, and optionally a cause. */
export type ErrorDetails<Key extends ErrorKey> =
  Record<never, never> extends ErrorValues<Key> ? [details?: ErrorOptions] : [details: ErrorValues<Key> & ErrorOptions]

/**
 * An error whose message may be shown to the person who caused it. The message is in English; pages in another language
 * make their own from `key` and `values`.
 */
export class AppError<Key extends ErrorKey = ErrorKey> extends Error implements Refusal {
  readonly code: ErrorCode
  readonly key: string
  readonly values: Refusal['values']

  constructor(code: ErrorCode, key: Key, ...[details = {}]: ErrorDetails<Key>) {
    const { cause, ...values }: { cause?: unknown; [name: string]: unknown } = { ...details }
    super(inEnglish({ key, values }), 'cause' in details ? { cause } : undefined)
    this.name = 'AppError'
    this.code = code
    this.key = key
    this.values = Object.keys(values).length === 0 ? undefined : values
  }

  get status(): number {
    return statusOf[this.code]
  }
}

export function inEnglish(refusal: Refusal): string {
  const words = refusalInWords(textsIn('errors', 'en'), refusal)
  if (words === undefined) throw new Error(`messages/en/errors.json has no message ${refusal.key}`)
  return words
}
