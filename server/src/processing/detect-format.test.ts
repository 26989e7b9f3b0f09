import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { detectFormat, detectFormatOfBytes, HEAD_BYTES } from './detect-format.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-recognise-'))
afterAll(() => rmSync(folder, { recursive: true }))

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const padded = (...parts: (Buffer | string)[]) =>
  Buffer.concat([...parts.map(part => Buffer.from(part as string, 'latin1')), Buffer.alloc(64)])

function ftyp(major: string, ...compatible: string[]): Buffer {
  const box = Buffer.concat([Buffer.alloc(4), Buffer.from(`ftyp${major}\0\0\0\0${compatible.join('')}`, 'latin1')])
  box.writeUInt32BE(box.length)
  return padded(box)
}

/** A TIFF file with one directory of [tag, type, value]; texts are stored after the directory. */
function tiff(order: 'II' | 'MM', entries: [tag: number, type: number, value: number | string][]): Buffer {
  const little = order === 'II'
  const head = Buffer.alloc(10 + entries.length * 12 + 4)
  const view = new DataView(head.buffer, head.byteOffset, head.length)
  head.write(order, 'latin1')
  view.setUint16(2, 42, little)
  view.setUint32(4, 8, little)
  view.setUint16(8, entries.length, little)
  const texts: Buffer[] = []
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 10 + index * 12
    const text = typeof value === 'string' ? Buffer.from(`${value}\0`) : undefined
    view.setUint16(at, tag, little)
    view.setUint16(at + 2, type, little)
    view.setUint32(at + 4, text?.length ?? 1, little)
    if (text) view.setUint32(at + 8, head.length + Buffer.concat(texts).length, little)
    else if (type === 3) view.setUint16(at + 8, Number(value), little)
    else view.setUint32(at + 8, Number(value), little)
    if (text) texts.push(text)
  }
  return padded(head, ...texts)
}

function camera(make: string): Buffer {
  return tiff('II', [
    [0x00fe, 4, 1],
    [0x010f, 2, make],
    [0x014a, 4, 500],
  ])
}

function packets(distance: number, first: number): Buffer {
  const stream = Buffer.alloc(distance * 6)
  for (let at = first; at < stream.length; at += distance) stream[at] = 0x47
  return stream
}

/** The first blocks of a DV frame: a header, two of subcode, three of auxiliary data, one of audio. */
function digitalVideo(header: string): Buffer {
  const blocks = [header, '3f070000', '3f070100', '5f070000', '5f070100', '5f070200', '7f070000']
  return padded(...blocks.map(start => Buffer.concat([hex(start), Buffer.alloc(76, 0xff)])))
}

const asfHeader = hex('3026b2758e66cf11a6d900aa0062ce6c')
const asfPicture = hex('c0ef19bc4d5bcf11a8fd00805f5c442b')
const asfSound = hex('409e69f84d5bcf11a8fd00805f5c442b')

const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: 'teal' } })

test.each(['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const)('a %s file is recognised', async format => {
  const path = join(folder, `misnamed.${format}.txt`)
  writeFileSync(path, await picture.clone().toFormat(format).toBuffer())
  const recognised = await detectFormat(path)
  expect(recognised).toMatchObject({ kind: 'image', format })
  expect(recognised?.browserShows).toBe(format !== 'tiff')
})

test.each([
  ['heic', 'image/heic', ftyp('heic', 'mif1', 'heic')],
  ['heic', 'image/heic', ftyp('mif1', 'mif1', 'heic')],
  ['avif', 'image/avif', ftyp('mif1', 'mif1', 'avif')],
  ['avif', 'image/avif', padded(hex('00000010'), 'ftypmif3avif')],
  ['heic', 'image/heic', padded(hex('00000010'), 'ftypmif3heic')],
  ['heic', 'image/heic', padded(hex('00000010'), 'ftypmif3\0\0\0\0')],
  ['heic', 'image/heic', ftyp('avci', 'avci')],
  ['cr3', 'image/x-canon-cr3', ftyp('crx ', 'isom')],
  ['jxl', 'image/jxl', padded(hex('ff0a'))],
  ['jxl', 'image/jxl', padded(hex('0000000c4a584c200d0a870a'))],
  ['jp2', 'image/jp2', padded(hex('0000000c6a5020200d0a870a'), ftyp('jp2 ', 'jp2 '))],
  ['jp2', 'image/jp2', padded(hex('0000000c6a5020200d0a870a'), ftyp('jpx ', 'jp2 '))],
  ['j2k', 'image/x-j2c', padded(hex('ff4fff51002f0000'))],
  ['psd', 'image/vnd.adobe.photoshop', padded('8BPS\0\x01')],
  ['psb', 'image/vnd.adobe.photoshop', padded('8BPS\0\x02')],
  ['cr2', 'image/x-canon-cr2', padded(hex('49492a0010000000'), 'CR\x02\0')],
  ['nef', 'image/x-nikon-nef', camera('NIKON CORPORATION')],
  ['arw', 'image/x-sony-arw', camera('SONY')],
  ['srw', 'image/x-samsung-srw', camera('SAMSUNG')],
  ['hasselblad', 'image/x-hasselblad-3fr', camera('Hasselblad')],
  ['dng', 'image/x-adobe-dng', tiff('MM', [[0xc612, 1, 0x01040000]])],
  [
    'pef',
    'image/x-pentax-pef',
    tiff('MM', [
      [0x0106, 3, 32803],
      [0x010f, 2, 'PENTAX'],
    ]),
  ],
  ['tiff', 'image/tiff', tiff('MM', [[0x010f, 2, 'EPSON']])],
  ['tiff', 'image/tiff', padded(hex('49492b00080000001000000000000000'))],
  ['raf', 'image/x-fuji-raf', padded('FUJIFILMCCD-RAW 0201')],
  ['orf', 'image/x-olympus-orf', padded('IIRO\x08\0\0\0')],
  ['rw2', 'image/x-panasonic-rw2', padded('IIU\0\x18\0\0\0')],
  ['x3f', 'image/x-sigma-x3f', padded('FOVb')],
  ['mrw', 'image/x-minolta-mrw', padded('\0MRM')],
  ['crw', 'image/x-canon-crw', padded('II', hex('1a000000'), 'HEAPCCDR')],
  ['bmp', 'image/bmp', padded('BM', hex('36000000000000003600000028000000'))],
  ['mp4', 'video/mp4', ftyp('isom', 'isom', 'mp41')],
  ['mp4', 'video/mp4', ftyp('XAVC', 'XAVC')],
  ['mov', 'video/quicktime', ftyp('qt  ', 'qt  ')],
  ['mov', 'video/quicktime', padded(hex('00000008'), 'wide', hex('00001000'), 'mdat')],
  ['m4v', 'video/x-m4v', ftyp('M4V ', 'M4V ')],
  ['3gp', 'video/3gpp', ftyp('3gp5', '3gp5')],
  ['3g2', 'video/3gpp2', ftyp('3g2a', '3g2a')],
  ['webm', 'video/webm', padded(hex('1a45dfa3 9f4286810142f7810142f2810442f381084282 84'), 'webm')],
  ['mkv', 'video/x-matroska', padded(hex('1a45dfa3 a34286810142f7810142f2810442f381084282 88'), 'matroska')],
  ['ogg', 'video/ogg', padded('OggS', Buffer.alloc(24), '\x80theora')],
  ['mts', 'video/mp2t', packets(192, 4)],
  ['ts', 'video/mp2t', packets(188, 0)],
  ['avi', 'video/x-msvideo', padded('RIFF\x10\0\0\0AVI LIST')],
  ['wmv', 'video/x-ms-wmv', padded(asfHeader, Buffer.alloc(100), asfPicture)],
  ['flv', 'video/x-flv', padded('FLV\x01\x05')],
  ['mpg', 'video/mpeg', padded(hex('000001ba44'))],
  ['mpg', 'video/mpeg', padded(hex('000001b31400f013'))],
  ['mxf', 'application/mxf', padded(hex('060e2b34020501010d010201010204008300'))],
  ['dv', 'video/x-dv', digitalVideo('1f07003f')],
  ['dv', 'video/x-dv', digitalVideo('1f0700bf')],
])('%s (%s) is recognised by its first bytes', (format, mime, head) => {
  expect(detectFormatOfBytes(head)).toMatchObject({ format, mime })
})

test.each([
  ['nothing at all', ''],
  ['a vector drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ['a vector drawing with a declaration', '<?xml version="1.0"?><svg/>'],
  ['a page', '<!doctype html><script>alert(1)</script>'],
  ['a document', '%PDF-1.7'],
  ['a script', '#!/bin/sh\nrm -rf /'],
  ['a playlist', '#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\nfile:///etc/passwd'],
  ['a list of files for ffmpeg', 'ffconcat version 1.0\nfile /etc/passwd'],
  ['an icon', '\0\0\x01\0\x01\0\x10\x10'],
  ['a film of JPEG 2000', '\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypmjp2'],
  ['an archive', 'PK\x03\x04'],
  ['a text that begins like a bitmap', 'BMW drives past the house and nobody looks at it'],
  ['a song with a tag', 'ID3\x04\0\0'],
  ['a wave', 'RIFF\x10\0\0\0WAVEfmt '],
  ['sound in Ogg', `OggS${'\0'.repeat(24)}\x01vorbis`],
  ['sound in Flash', 'FLV\x01\x04'],
])('%s is neither photo nor video', (_what, content) => {
  expect(detectFormatOfBytes(Buffer.from(content, 'latin1'))).toBeUndefined()
})

test('sound alone in a container for films is no video', () => {
  expect(detectFormatOfBytes(ftyp('M4A ', 'mp42', 'isom'))).toBeUndefined()
  expect(detectFormatOfBytes(padded(asfHeader, Buffer.alloc(100), asfSound))).toBeUndefined()
})

test('a photo that holds a page besides is a photo', async () => {
  const photo = await picture.clone().jpeg().toBuffer()
  const both = Buffer.concat([photo, Buffer.from('<html><script>alert(1)</script></html>')])
  expect(detectFormatOfBytes(both)).toMatchObject({ format: 'jpeg', mime: 'image/jpeg' })
})

test('a beginning cut anywhere, or changed anywhere, is answered without an error', () => {
  const heads = [
    digitalVideo('1f0700bf'),
    camera('NIKON'),
    ftyp('mif1', 'avif'),
    packets(188, 0),
    tiff('MM', [[0x010f, 2, 'X']]),
  ]
  for (const head of heads) {
    for (let length = 0; length < head.length; length++) detectFormatOfBytes(head.subarray(0, length))
    for (let at = 0; at < Math.min(head.length, 80); at++) {
      for (const value of [0, 0x7f, 0xff]) detectFormatOfBytes(Buffer.from(head).fill(value, at, at + 4))
    }
  }
  expect(detectFormatOfBytes(Buffer.alloc(HEAD_BYTES, 0xff))).toBeUndefined()
})
