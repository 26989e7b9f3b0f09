/** Why a file could not be processed. */
export type ProcessingFailure =
  /** The bytes are not what they should be; trying again gives the same. */
  | 'unreadable'
  /** The file may be sound, but nothing installed here can show it. */
  | 'unsupported'
  /** Larger than this server agrees to open; trying again gives the same. */
  | 'too_large'
  /** Made of more parts than any real photo (scans, frames, pages); trying again gives the same. */
  | 'too_complex'
  /** The work took too long. Trying again would occupy a decoder for as long once more, and nearly always in vain. */
  | 'time'
  /** The work needed more memory than any file is given. Trying again would need as much. */
  | 'memory'
  /** The process died, or could not be started; it may succeed on a quieter machine. */
  | 'crashed'
  /** There was no room on the disk; there may be some later. */
  | 'no_space'
  /** Someone took back the order, or the server is stopping. */
  | 'cancelled'

const permanent = new Set<ProcessingFailure>([
  'unreadable',
  'unsupported',
  'too_large',
  'too_complex',
  'time',
  'memory',
])

/** A failure of one file. Its message is a sentence for the person who looks at the failed file. */
export class ProcessingError extends Error {
  readonly failure: ProcessingFailure

  constructor(failure: ProcessingFailure, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options)
    this.name = 'ProcessingError'
    this.failure = failure
  }

  /** Whether trying again can end differently. */
  get isRetryable(): boolean {
    return !permanent.has(this.failure)
  }
}

/**
 * The file is damaged, or not what it seems. The reason is in plain words; a decoder's own words, which only a developer
 * understands, belong into the cause.
 */
export function unreadable({ reason, cause }: { reason?: string; cause?: unknown } = {}): ProcessingError {
  const why = reason === undefined ? '' : ` (${reason})`
  return new ProcessingError('unreadable', `The file is damaged and could not be read${why}.`, { cause })
}

/** The file is sound as far as anyone can tell, but nothing installed here can show it. */
export function unsupported(cause?: unknown): ProcessingError {
  return new ProcessingError('unsupported', "This kind of file can't be shown yet; the original is safe.", { cause })
}

/**
 * What libjpeg, libtiff and ImageMagick say of a file that they understand and have no decoder for. The "unsupported image
 * format" of sharp is not among these: it says that of a TIFF cut short, too.
 */
const noDecoder = [
  /no decode delegate for this image format/i,
  /Unsupported JPEG (process|data precision)/,
  /compression support is not configured/,
  /Compression scheme \d+ .*not implemented/,
]

/** Why a decoder gave up: the file is damaged, or nothing here can read its kind. */
export function decodingFailure(error: unknown): ProcessingError {
  const said = error instanceof Error ? error.message : String(error)
  const damaged = /Corrupt JPEG data|premature end/i.test(said)
  return !damaged && noDecoder.some(words => words.test(said)) ? unsupported(error) : unreadable({ cause: error })
}
