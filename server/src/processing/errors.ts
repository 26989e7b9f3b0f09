/** Why a file could not be processed. */
export type ProcessingFailure =
  /** The bytes are damaged. Permanent. */
  | 'unreadable'
  /** No installed decoder can read this format. Permanent. */
  | 'unsupported'
  /** Exceeds the size limits. Permanent. */
  | 'too_large'
  /** Has more scans, frames or pages than any real photo. Permanent. */
  | 'too_complex'
  /** Timed out. Not retried, since that would nearly always occupy a decoder for as long again in vain. */
  | 'time'
  /** Exceeded the memory limit. Permanent. */
  | 'memory'
  /** The process crashed or could not be started. Retried. */
  | 'crashed'
  /** The disk was full. Retried. */
  | 'no_space'
  /** Cancelled by the caller, or the server is stopping. Retried. */
  | 'cancelled'

const permanent = new Set<ProcessingFailure>([
  'unreadable',
  'unsupported',
  'too_large',
  'too_complex',
  'time',
  'memory',
])

/** Processing one file failed. The message is shown to the person who looks at the failed file. */
export class ProcessingError extends Error {
  readonly failure: ProcessingFailure

  constructor(failure: ProcessingFailure, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options)
    this.name = 'ProcessingError'
    this.failure = failure
  }

  get isRetryable(): boolean {
    return !permanent.has(this.failure)
  }
}

/** For `catch`: the fallback after a failure that would repeat itself; all others are thrown again. */
export function ifPermanent<Fallback>(fallback: Fallback): (error: unknown) => Fallback {
  return error => {
    if (error instanceof ProcessingError && !error.isRetryable) return fallback
    throw error
  }
}

export function cancelled(): ProcessingError {
  return new ProcessingError('cancelled', 'Processing was cancelled.')
}

/** The file is damaged. The reason is for people; the decoder's message belongs in the cause. */
export function unreadable({ reason, cause }: { reason?: string; cause?: unknown } = {}): ProcessingError {
  const why = reason === undefined ? '' : ` (${reason})`
  return new ProcessingError('unreadable', `The file is damaged and could not be read${why}.`, { cause })
}

/** The file may be intact, but no installed decoder can read it. */
export function unsupported(cause?: unknown): ProcessingError {
  return new ProcessingError('unsupported', "This kind of file can't be shown yet; the original is safe.", { cause })
}

/**
 * Messages of libjpeg, libtiff and ImageMagick for a valid file that they cannot decode. Not sharp's "unsupported image
 * format", which it also reports for a truncated TIFF.
 */
const noDecoder = [
  /no decode delegate for this image format/i,
  /Unsupported JPEG (process|data precision)/,
  /compression support is not configured/,
  /tiled separate planes not supported/,
  /Compression scheme \d+ .*not implemented/,
]

/** Classifies an error of a decoder: the file is damaged, or its format is not supported. */
export function decodingFailure(error: unknown): ProcessingError {
  const message = error instanceof Error ? error.message : String(error)
  const damaged = /Corrupt JPEG data|premature end/i.test(message)
  return !damaged && noDecoder.some(words => words.test(message)) ? unsupported(error) : unreadable({ cause: error })
}
