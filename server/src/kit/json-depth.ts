import { jsonDepth } from '#contract/limits.ts'

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('"\\[]{}', mark =>
  mark.charCodeAt(0),
)

/**
 * Whether a JSON text nests deeper than any call of ours needs. Asked before it is parsed: a megabyte of brackets keeps
 * the parser, and so the whole server, busy for seconds.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > jsonDepth) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}
