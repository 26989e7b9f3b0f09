import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'

/** JSON text that no JavaScript value serialises to, such as `1e309` or an object with a `__proto__` key. */
class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A secret file next to the data folder, by name and content. No response may contain it. */
export const canary = {
  name: `canary-${process.pid}.txt`,
  text: `canary ${randomBytes(12).toString('hex')}`,
}

/** Relative to each depth of the data folder, and absolute. */
const canaryPaths = ['../', '../../', '../../../', '../../../../../', `${tmpdir()}/`].map(place => place + canary.name)

export const traversals: readonly string[] = [
  ...canaryPaths,
  '../heirloom.db',
  '../../heirloom.db',
  '../files/originals',
  '..\\heirloom.db',
  '....//heirloom.db',
  './heirloom.db',
  '..',
  '.',
  '/',
  '/etc/passwd',
  '\\\\server\\share',
  'C:\\Windows\\win.ini',
  'file:///etc/passwd',
  '%2e%2e%2fheirloom.db',
  '%252e%252e%252fheirloom.db',
  // Unicode slashes: division slash, fraction slash, fullwidth solidus.
  '..\u2215heirloom.db',
  '..\u2044heirloom.db',
  '\uFF0E\uFF0E\uFF0Fheirloom.db',
]

const injections = [
  '1;drop table people',
  "' or '1'='1",
  "1' union select token_hash from sessions--",
  'https://evil.example/',
  '//evil.example/',
  '$(id)',
  '`id`',
  '{{7*7}}',
  '#{7*7}',
  '<script>alert(1)</script>',
  'a\r\nset-cookie: x=1',
  '%s%n%x',
  '*',
  '%',
  '_',
  '"',
  'NEAR(a b) OR "',
]

const strangeTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u202Etxt.exe',
  '\u200B\u200D\uFEFF',
  '\u001b[2J\u001b]0;title\u0007',
  '\uD800',
  'a\uDFFF',
  'e\u0301'.repeat(400),
  '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'x'.repeat(300),
  'x'.repeat(6_000),
]

/** Texts that a careless parser accepts as an id. */
const numberTexts = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '01',
  ' 1',
  '1 ',
  '+1',
  '1,2',
  '\u0661',
  'NaN',
  'Infinity',
  '-Infinity',
  '2147483648',
  '9007199254740991',
  '9007199254740992',
  '18446744073709551616',
  '1e309',
  'null',
  'undefined',
  'true',
  '[]',
  '[object Object]',
]

export const hostileTexts: readonly string[] = [...traversals, ...injections, ...strangeTexts, ...numberTexts]

/** Large enough that super-linear work is slow. */
const hugeText = 'A\u0301 '.repeat(33_000)

const deepArray = new RawJson('['.repeat(20_000) + ']'.repeat(20_000))

export const hostileJson: readonly unknown[] = [
  ...hostileTexts,
  hugeText,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  -0.1,
  2 ** 31,
  2 ** 53,
  2 ** 53 - 1,
  Number.MIN_VALUE,
  new RawJson('-0'),
  new RawJson('1e309'),
  new RawJson('-1e309'),
  new RawJson('18446744073709551616'),
  new RawJson('NaN'),
  new RawJson('01'),
  [],
  [[]],
  [null],
  ['../heirloom.db'],
  [1, '1', null, {}],
  Array.from({ length: 2_000 }, (_, i) => i + 1),
  {},
  { id: 1 },
  { length: 1e9 },
  { $ne: null },
  { toString: 'x', valueOf: 'x' },
  new RawJson('{"__proto__":{"role":"admin"}}'),
  new RawJson('{"constructor":{"prototype":{"role":"admin"}}}'),
  deepArray,
]

/** Path segments that are sent verbatim, including percent signs: an HTTP client would normalise some of them. */
export const rawPathSegments: readonly string[] = [
  ...canaryPaths,
  ...canaryPaths.map(path => path.replaceAll('/', '%2f')),
  ...canaryPaths.map(path => path.replaceAll('../', '%2e%2e%2f')),
  '..',
  '../heirloom.db',
  '../../../../etc/passwd',
  '..%2fheirloom.db',
  '%2e%2e%2fheirloom.db',
  '%2e%2e/heirloom.db',
  '..%5cheirloom.db',
  '..;/heirloom.db',
  '%00',
  '1%00',
  '1%0a',
  '1%0d%0aset-cookie:x=1',
  '%c0%ae%c0%ae%c0%afheirloom.db',
  '%ed%a0%80',
  '%ff',
  '%',
  '%zz',
  '%u002e%u002e',
  '%e2%88%95',
  '1%2f1',
  '1/../1',
  '//',
  '1%23x',
  '1;x=1',
  '%252e%252e%252f',
]

/** Texts that `Number()` or `parseInt()` parse as this id, percent-encoded, the common ones first. */
export function otherSpellings(id: string): string[] {
  const number = Number(id)
  const digits = Array.from(id, digit => String.fromCodePoint(0xff10 + Number(digit))).join('')
  const usual = [`0x${number.toString(16)}`, `0${id}`, ` ${id}`, `${id} `, `+${id}`, `${id}\n`, `${id}.0`, `${id}e0`]
  const radixes = [`0b${number.toString(2)}`, `0o${number.toString(8)}`]
  const around = ['\t', '\r', '\u00A0', '\uFEFF', '\0'].flatMap(blank => [`${blank}${id}`, `${id}${blank}`])
  const others = [`-${id}`, `${id}.`, `${id}n`, `\n${id}`, `${id},${id}`, `${id}x`, digits]
  return [...usual, ...radixes, ...around, ...others].map(encodeURIComponent)
}

/** Beyond the limit for request heads (16 KB). */
export const hugePathSegment = 'x'.repeat(100_000)

/** Fields that a careless `insert(body)` would write. */
export const extraKeys: Readonly<Record<string, unknown>> = {
  id: 1,
  role: 'admin',
  status: 'approved',
  person_id: 1,
  uploaded_by: 1,
  sender_id: 1,
  author_id: 1,
  created_by: 1,
  created_at: 0,
  deleted_at: 0,
  key: '../heirloom.db',
}

export function encodeJson(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(encodeJson).join()}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
    return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${encodeJson(inner)}`).join()}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** Like `encodeURIComponent`, but encodes lone surrogates too, as bytes that are invalid in UTF-8. */
export function encodePart(text: string): string {
  return Array.from(text, character =>
    /^[\uD800-\uDFFF]$/.test(character) ? '%ED%A0%80' : encodeURIComponent(character),
  ).join('')
}

/** Shortened for a line of a report. */
export function inBrief(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : encodeJson(value)
  return text.length > 80 ? `${text.slice(0, 60)}… (${text.length} characters)` : text
}
