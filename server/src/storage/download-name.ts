import { contentTypeOf } from './content-types.ts'

/** Other extensions for the formats in `content-types.ts`. */
const extensionAliases: Readonly<Record<string, string>> = {
  jpe: 'jpg',
  jfif: 'jpg',
  apng: 'png',
  dib: 'bmp',
  heif: 'heic',
  hif: 'heic',
  nrw: 'nef',
  m4v: 'mp4',
  qt: 'mov',
  mpe: 'mpg',
  m1v: 'mpg',
  m2v: 'mpg',
  mpv: 'mpg',
  vob: 'mpg',
  divx: 'avi',
  asf: 'wmv',
  '3gpp': '3gp',
}

/**
 * The name under which a browser or a ZIP saves an object. Its extension is that of the key, which matches the bytes: a
 * photo named `holiday.html` must not open as a page, nor `holiday.exe` run, on the computer that saved it.
 */
export function downloadName(name: string, key: string): string {
  const clean = sanitiseName(name)
  const actual = extensionOf(key) ?? 'bin'
  const given = extensionOf(clean)
  if (given !== undefined && formatOf(given) === formatOf(actual)) return clean
  // A wrong extension of a photo or video is replaced; anything else may be part of the name, as in "Day 1.5".
  return `${isMedia(given) ? clean.slice(0, clean.lastIndexOf('.')) || 'download' : clean}.${actual}`
}

/**
 * The new name of a file with an extension that matches its bytes, like that of `key`: the given one, else that of the
 * name before, else that of the key. "Day 1.5" has none. A name that had no extension needs none.
 */
export function renamed(before: string, name: string, key: string): string {
  const actual = extensionOf(key)
  const fits = (extension: string | undefined) =>
    extension !== undefined && actual !== undefined && formatOf(extension) === formatOf(actual)
  const [given, kept] = [extensionOf(name), extensionOf(before)]
  if (actual === undefined || fits(given)) return name
  const ending = fits(kept) ? before.slice(before.lastIndexOf('.')) : `.${actual}`
  if (!isMedia(given)) return isMedia(kept) ? `${name}${ending}` : name
  // ".png" is all ending: the name before it would be empty.
  return `${name.slice(0, name.lastIndexOf('.')).trimEnd() || name}${ending}`
}

function isMedia(extension: string | undefined): boolean {
  return extension !== undefined && formatOf(extension).includes('/')
}

/**
 * Removes path separators and what could break a header or reorder text (`gpj.exe`). On Windows a colon starts an
 * alternate data stream: `a.html:x.jpg` would be saved as `a.html`.
 */
function sanitiseName(name: string): string {
  return (
    withoutControls(name)
      .replace(/[/\\:]/g, '_')
      .trim() || 'download'
  )
}

/** Without characters that end a line, hide text or reorder it. */
export function withoutControls(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/gu, character => (JOINERS.has(character) ? character : ''))
}

/** Zero-width joiners are needed for emoji and some scripts, and do not hide or reorder text. */
const JOINERS = new Set(['\u200C', '\u200D'])

function extensionOf(name: string): string | undefined {
  return /\.([^./\s]{1,20})$/u.exec(name)?.[1]?.toLowerCase()
}

function formatOf(ending: string): string {
  const preferred = Object.hasOwn(extensionAliases, ending) ? extensionAliases[ending] : ending
  return contentTypeOf(`.${preferred}`) ?? `${preferred}`
}

/** A `Content-Disposition` (RFC 6266) that makes a browser save the file under `name`. */
export function attachmentHeader(name: string): string {
  const clean = sanitiseName(name)
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/gu, '_')
  // Old clients read only `filename`; `filename*` is needed for names beyond ASCII.
  return ascii === clean
    ? `attachment; filename="${ascii}"`
    : `attachment; filename="${ascii}"; filename*=UTF-8''${encodeExtended(clean)}`
}

/** RFC 8187 allows fewer unescaped characters than a URL. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
