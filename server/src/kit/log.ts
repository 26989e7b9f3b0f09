import type { FastifyRequest } from 'fastify'

export interface LogStream {
  write(line: string): void
}

/** Structured logs without tokens, cookies, signatures or e-mails: of a URL only the path is logged. */
export function loggerOptions(level: string, stream?: LogStream) {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, path: pathOnly(request.url) }),
    },
    redact: { paths: ['*.email', '*.token', '*.authorization', '*.cookie'], censor: '[redacted]' },
    hooks: { streamWrite: printableJson },
    ...(stream ? { stream } : {}),
  }
}

function pathOnly(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/**
 * Text for a terminal or a log. Names of files and people may contain escape sequences, which could rewrite the
 * screen, set its title or fill the clipboard, and characters that reverse or hide text: those are escaped.
 */
export function printable(text: string): string {
  return text.replace(UNSAFE, character => {
    const code = character.codePointAt(0) ?? 0
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** Control characters except tab and line feed, line separators, bidirectional controls, and lone surrogates. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** For a value inside a line: also escapes line breaks and tabs, so that no log line can be forged. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

/** The same for a line of JSON, in which characters below U+0020 are already escaped. */
export function printableJson(line: string): string {
  return line.replace(UNSAFE, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
