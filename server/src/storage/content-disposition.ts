import { sanitiseName } from './download-name.ts'

/** A `Content-Disposition` (RFC 6266) that makes a browser save the file under `name`. */
export function attachmentHeader(name: string): string {
  const clean = sanitiseName(name)
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/gu, '_')
  // Old programs read the first, all others the second; a plain name needs only the first.
  return ascii === clean
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(clean)}`
}

/** RFC 8187: stricter than a URL about the marks that may stand as they are. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
