/** The states of a scan through XML that may be cut into pieces anywhere. */
const TEXT = 0
const AFTER_BRACKET = 1
const OPENING = 2
const CLOSING = 3
const OTHER = 4

const [LESS, GREATER, SLASH, BANG, QUESTION] = [0x3c, 0x3e, 0x2f, 0x21, 0x3f]

export interface XmlDepth {
  /** The deepest nesting so far. */
  readonly deepest: number
  read(bytes: Uint8Array): void
}

/** Measures how deeply the elements of an XML text are nested. It does not check the text; UTF-16 works as well. */
export function measureXmlDepth(): XmlDepth {
  let state = TEXT
  let depth = 0
  let deepest = 0
  let last = 0

  function endTag(): void {
    if (state === OPENING && last !== SLASH) depth++
    if (state === CLOSING && depth > 0) depth--
    if (depth > deepest) deepest = depth
    state = TEXT
  }

  return {
    get deepest() {
      return deepest
    },
    read(bytes) {
      for (const byte of bytes) {
        // The other half of UTF-16 letters.
        if (byte === 0) continue
        if (state === TEXT) {
          if (byte === LESS) state = AFTER_BRACKET
        } else if (state === AFTER_BRACKET) {
          state = byte === SLASH ? CLOSING : byte === BANG || byte === QUESTION ? OTHER : OPENING
        } else if (byte === GREATER) {
          endTag()
        }
        last = byte
      }
    },
  }
}
