/** States of the incremental XML scanner. */
const [TEXT, AFTER_BRACKET, NAME, TAG, AFTER_BANG, COMMENT, CDATA] = [0, 1, 2, 3, 4, 5, 6]

const [LESS, GREATER, SLASH, BANG, QUESTION, HYPHEN, BRACKET] = [0x3c, 0x3e, 0x2f, 0x21, 0x3f, 0x2d, 0x5d]

/** Longer names are not compared: their elements count as never closed. */
const LONGEST_NAME = 256

/** The characters of a name as exiftool reads them: `[-\w:.\x80-\xff]`. */
const isNameByte = Array.from({ length: 256 }, (_, byte) => byte >= 0x80 || /[-\w:.]/.test(String.fromCharCode(byte)))

export interface XmlDepthMeter {
  /** The most elements that were open at the same time, in any of the texts so far. */
  readonly deepest: number
  /** Reads the next piece of the text. */
  read(bytes: Uint8Array): void
  /** Resets the scanner: the next piece starts another text, which unclosed elements must not affect. */
  startText(): void
}

/**
 * Measures the nesting depth of XML elements, also in UTF-16, without validating the text.
 *
 * It tokenises like exiftool, which is the only reader of XMP: comments and CDATA are skipped, a processing instruction
 * ends at its first `>`, and a DOCTYPE is ordinary text. A closing tag closes an element of the same name or nothing. So
 * malformed text measures deeper, never less deep. exiftool-config.pl checks the same for XMP in any container.
 */
export function createXmlDepthMeter(): XmlDepthMeter {
  let state = TEXT
  let mark = 0
  let name = ''
  let declaration = ''
  /** The previous byte, in a tag. */
  let last = 0
  /** Number of consecutive hyphens or brackets, in a comment or CDATA. */
  let run = 0
  let [depth, deepest] = [0, 0]
  /** How many elements of each name are open. */
  const open = new Map<string, number>()

  function openElement(): void {
    depth++
    if (depth > deepest) deepest = depth
  }

  function endTag(): void {
    state = TEXT
    const opened = open.get(name) ?? 0
    if (mark === SLASH && opened > 0) {
      depth--
      if (opened > 1) open.set(name, opened - 1)
      else open.delete(name)
    } else if (mark === 0 && last !== SLASH) {
      openElement()
      if (name.length <= LONGEST_NAME) open.set(name, opened + 1)
    }
  }

  function startTag(byte: number): void {
    mark = byte === SLASH || byte === QUESTION ? byte : 0
    name = mark === 0 ? String.fromCharCode(byte) : ''
    declaration = ''
    last = byte
    if (byte === BANG) state = AFTER_BANG
    else if (mark !== 0 || isNameByte[byte]) state = NAME
    else if (byte !== LESS) state = TEXT
  }

  function readName(byte: number): void {
    if (isNameByte[byte]) {
      last = byte
      if (name.length <= LONGEST_NAME) name += String.fromCharCode(byte)
    } else if (name === '') {
      state = byte === LESS ? AFTER_BRACKET : TEXT
    } else {
      state = TAG
      readTag(byte)
    }
  }

  function readTag(byte: number): void {
    if (byte === GREATER) endTag()
    // Not allowed in a tag, and parsers disagree on its meaning, so it counts as an element that is never closed.
    else if (byte === LESS) openElement()
    last = byte
  }

  function readDeclaration(byte: number): void {
    declaration += String.fromCharCode(byte)
    if (declaration === '--') state = COMMENT
    else if (declaration === '[CDATA[') state = CDATA
    else if (byte === LESS) state = AFTER_BRACKET
    else if (!'[CDATA['.startsWith(declaration) && declaration !== '-') state = TEXT
    // The hyphens that begin a comment do not end it.
    run = 0
  }

  function readSkipped(byte: number): void {
    if (byte === GREATER && run >= 2) state = TEXT
    run = byte === (state === COMMENT ? HYPHEN : BRACKET) ? run + 1 : 0
  }

  function read(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number
      // The zero byte of UTF-16 characters.
      if (byte === 0) continue
      if (state === TEXT) {
        if (byte === LESS) state = AFTER_BRACKET
      } else if (state === AFTER_BRACKET) startTag(byte)
      else if (state === NAME) readName(byte)
      else if (state === TAG) readTag(byte)
      else if (state === AFTER_BANG) readDeclaration(byte)
      else readSkipped(byte)
    }
  }
  return {
    get deepest() {
      return deepest
    },
    read,
    startText() {
      state = TEXT
      depth = 0
      open.clear()
    },
  }
}
