import { expect, test } from 'vitest'
import { hiddenDepth } from '../../../test/fixtures/bombs.ts'
import { createXmlDepthMeter } from './xml-depth.ts'

function depthOf(text: string, encoding: BufferEncoding = 'utf8', pieceBytes = Number.POSITIVE_INFINITY): number {
  const xml = createXmlDepthMeter()
  const bytes = Buffer.from(text, encoding)
  for (let at = 0; at < bytes.length; at += pieceBytes) xml.read(bytes.subarray(at, at + pieceBytes))
  return xml.deepest
}

test.each(Object.entries(hiddenDepth))('depth is not hidden by %s, however the text is cut', (_what, hide) => {
  for (const pieceBytes of [Number.POSITIVE_INFINITY, 1, 7]) {
    expect(depthOf(hide(200), 'utf8', pieceBytes)).toBeGreaterThanOrEqual(200)
    expect(depthOf(hide(200), 'utf16le', pieceBytes)).toBeGreaterThanOrEqual(200)
  }
})

const shallow: [what: string, text: string, depth: number][] = [
  ['elements beside each other', '<a><b>x</b><b/><b y="/"></b></a>'.repeat(500), 2],
  ['an attribute with a bracket', '<a x="1 > 2"></a>'.repeat(500), 1],
  ['tags in a comment', `<a><!-- ${'<b>'.repeat(500)} --></a>`, 1],
  ['a comment of hyphens', '<!----><a/><!-- - -- ---><b></b>', 1],
  ['tags in CDATA', `<a><![CDATA[ ${'<b>'.repeat(500)} ]] ]]></a>`, 1],
  ['processing instructions', '<?xpacket begin="" id="W5M0"?><a></a>'.repeat(500), 1],
  ['closing tags alone', '</a></b>'.repeat(500), 0],
  ['a closing tag with a space', '<a></a >'.repeat(500), 1],
  ['brackets that are no tags', '< <= <> <('.repeat(1), 0],
]

test.each(shallow)('%s are not taken for depth', (_what, text, depth) => {
  expect(depthOf(text)).toBe(depth)
  expect(depthOf(text, 'utf8', 1)).toBe(depth)
  expect(depthOf(text, 'utf16le', 3)).toBe(depth)
})

test('a text that is cut off hides nothing of the next one', () => {
  const xml = createXmlDepthMeter()
  for (const cut of ['<!-- ', '<![CDATA[', '<a b="']) {
    xml.read(Buffer.from(cut))
    xml.startText()
  }
  xml.read(Buffer.from('<a>'.repeat(100)))
  expect(xml.deepest).toBe(100)
})

test('16 MB of any kind take no time', { timeout: 60_000 }, () => {
  const size = 16 * 1024 * 1024
  const texts = ['<', '<a', '<a ', '</a>', '<!--', '<a><b></a>', '<a></a>', `<${'a'.repeat(1_000)}>`, '<![CDATA[]]>']
  for (const text of texts) {
    const bytes = Buffer.alloc(size, text)
    const begin = process.cpuUsage()
    const xml = createXmlDepthMeter()
    xml.read(bytes)
    expect(xml.deepest).toBeGreaterThanOrEqual(0)
    if (process.env.LONG) expect([text, process.cpuUsage(begin).user < 5_000_000]).toEqual([text, true])
  }
})
