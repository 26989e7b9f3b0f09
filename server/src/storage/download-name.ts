import { contentTypeOf } from './content-types.ts'

/** Other endings that people's files of a format have, each under the one in `content-types.ts`. */
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
  m2v: 'mpg',
  vob: 'mpg',
  divx: 'avi',
  asf: 'wmv',
  '3gpp': '3gp',
}

/**
 * The name under which a browser or a ZIP saves an object. Its ending is that of the bytes, which the key carries: a
 * photo that somebody named `holiday.html` must not open as a page, nor `holiday.exe` run, on the machine that saved it.
 */
export function downloadName(name: string, key: string): string {
  const clean = sanitiseName(name)
  const actual = extensionOf(key) ?? 'bin'
  const given = extensionOf(clean)
  if (given !== undefined && formatOf(given) === formatOf(actual)) return clean
  // A wrong ending of a photo or film is replaced; anything else may be part of the name, as in "Day 1.5".
  const isMediaEnding = given !== undefined && formatOf(given).includes('/')
  return `${isMediaEnding ? clean.slice(0, clean.lastIndexOf('.')) || 'download' : clean}.${actual}`
}

/**
 * A name, not a path, and nothing that breaks a header or turns `gpj.exe` around. On Windows a colon begins the name of a
 * stream: `a.html:x.jpg` would become `a.html`.
 */
export function sanitiseName(name: string): string {
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

/** Parts of emoji and of words in some scripts, and nothing that hides or reorders text. */
const JOINERS = new Set(['\u200C', '\u200D'])

function extensionOf(name: string): string | undefined {
  return /\.([^./\s]{1,20})$/u.exec(name)?.[1]?.toLowerCase()
}

function formatOf(ending: string): string {
  const usual = Object.hasOwn(extensionAliases, ending) ? extensionAliases[ending] : ending
  return contentTypeOf(`.${usual}`) ?? `${usual}`
}
