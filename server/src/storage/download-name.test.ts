import { expect, test } from 'vitest'
import { attachmentHeader, downloadName, renamed } from './download-name.ts'

const photo = 'originals/2024/06/a~k3v9x2ab.jpg'

test.each([
  ['IMG_1.JPG', 'IMG_1.JPG'],
  ['IMG_1.jpeg', 'IMG_1.jpeg'],
  ['from the web.jfif', 'from the web.jfif'],
  ['no ending', 'no ending.jpg'],
  ['Day 1.5', 'Day 1.5.jpg'],
  ['really a jpeg.heic', 'really a jpeg.jpg'],
  ['.png', 'download.jpg'],
  ['holiday.html', 'holiday.html.jpg'],
  ['holiday.jpg.html', 'holiday.jpg.html.jpg'],
  ['holiday.HTML ', 'holiday.HTML.jpg'],
  ['holiday.html.', 'holiday.html..jpg'],
  ['holiday.ht\u200Bml', 'holiday.html.jpg'],
  ['holiday\u202Egpj.exe', 'holidaygpj.exe.jpg'],
  ['holiday.jpg\0.html', 'holiday.jpg.html.jpg'],
  ['holiday.jpg/../x.svg', 'holiday.jpg_.._x.svg.jpg'],
  ['holiday.html:x.jpg', 'holiday.html_x.jpg'],
  ['C:holiday.html::$DATA', 'C_holiday.html__$DATA.jpg'],
  ['', 'download.jpg'],
])('%j of a JPEG is saved as %j', (name, saved) => {
  expect(downloadName(name, photo)).toBe(saved)
})

test.each([
  'svg',
  'svgz',
  'xhtml',
  'xht',
  'xml',
  'htm',
  'mhtml',
  'js',
  'mjs',
  'hta',
  'exe',
  'scr',
  'com',
  'bat',
  'cmd',
  'ps1',
  'url',
  'lnk',
  'desktop',
  'webloc',
  'jar',
  'pdf',
  'app',
  'sh',
])('no photo, film or nameless object is saved with the ending .%s', ending => {
  for (const key of [photo, 'originals/b.mov', 'originals/c.heic', 'originals/without-an-ending']) {
    const saved = downloadName(`a.${ending}`, key)
    expect(saved.endsWith(key.includes('.') ? key.slice(key.lastIndexOf('.')) : '.bin')).toBe(true)
  }
})

test.each([
  ['clip.MOV', 'originals/a.mov', 'clip.MOV'],
  ['clip.qt', 'originals/a.mov', 'clip.qt'],
  ['clip.m4v', 'originals/a.mp4', 'clip.m4v'],
  ['clip.mp4', 'originals/a.mov', 'clip.mov'],
  ['MVI_1.MTS', 'originals/a.m2ts', 'MVI_1.MTS'],
  ['IMG.HEIF', 'originals/a.heic', 'IMG.HEIF'],
  ['DSC.NRW', 'originals/a.nef', 'DSC.NRW'],
])('%s whose bytes are %s is saved as %s', (name, key, saved) => {
  expect(downloadName(name, key)).toBe(saved)
})

test.each([
  ['IMG_1234.jpg', 'attachment; filename="IMG_1234.jpg"'],
  ['Oma und Opa (1).jpg', 'attachment; filename="Oma und Opa (1).jpg"'],
  ['été.jpg', `attachment; filename="_t_.jpg"; filename*=UTF-8''%C3%A9t%C3%A9.jpg`],
  ['🎂.jpg', `attachment; filename="_.jpg"; filename*=UTF-8''%F0%9F%8E%82.jpg`],
  ['the "best" day.jpg', `attachment; filename="the _best_ day.jpg"; filename*=UTF-8''the%20%22best%22%20day.jpg`],
  ['100%.jpg', `attachment; filename="100_.jpg"; filename*=UTF-8''100%25.jpg`],
  [`Anna's été*.jpg`, `attachment; filename="Anna's _t_*.jpg"; filename*=UTF-8''Anna%27s%20%C3%A9t%C3%A9%2A.jpg`],
  ['a\r\nSet-Cookie: x=y\0.jpg', 'attachment; filename="aSet-Cookie_ x=y.jpg"'],
  ['invoice\u202Egpj.exe', 'attachment; filename="invoicegpj.exe"'],
  ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
  ['C:\\temp\\a.jpg', 'attachment; filename="C__temp_a.jpg"'],
  ['half \uD83D.jpg', `attachment; filename="half _.jpg"; filename*=UTF-8''half%20%EF%BF%BD.jpg`],
  ['a.html:x.jpg', 'attachment; filename="a.html_x.jpg"'],
  ['\n', 'attachment; filename="download"'],
])('%j is saved as %s', (name, header) => {
  expect(attachmentHeader(name)).toBe(header)
})

test('a name of 500 bytes arrives whole', () => {
  const name = `${'ß'.repeat(248)}.jpg`
  expect(attachmentHeader(name)).toContain(encodeURIComponent(name))
})

test.each([
  ['IMG_1.JPG', 'Grandma', 'Grandma.JPG'],
  ['IMG_1.JPG', 'Day 1.5', 'Day 1.5.JPG'],
  ['IMG_1.JPG', 'Dr. Okafor', 'Dr. Okafor.JPG'],
  ['IMG_1.JPG', 'Grandma.jpeg', 'Grandma.jpeg'],
  ['IMG_1.JPG', 'holiday.html', 'holiday.html.JPG'],
  ['IMG_1.JPG', 'photo.png', 'photo.JPG'],
  ['IMG_1.JPG', '.hidden', '.hidden.JPG'],
  ['IMG_1.JPG', '.png', '.png.JPG'],
  ['photo.png', '.hidden', '.hidden.jpg'],
  ['photo.png', 'photo', 'photo.jpg'],
  ['DSC00042', 'Grandma', 'Grandma'],
  ['DSC00042', 'Grandma.png', 'Grandma.jpg'],
  ['Day 1.5', 'Day 2', 'Day 2'],
])('a JPEG called %s that is renamed to %s becomes %s', (before, name, after) => {
  expect(renamed(before, name, photo)).toBe(after)
})

test.each([
  ['clip.mov', 'Waves.', 'originals/a.mov', 'Waves..mov'],
  ['clip.MOV', 'Waves.mp4', 'originals/a.mov', 'Waves.MOV'],
  ['IMG.HEIC', 'Oma.heif', 'originals/a.heic', 'Oma.heif'],
])('%s that is renamed to %s and whose bytes are %s becomes %s', (before, name, key, after) => {
  expect(renamed(before, name, key)).toBe(after)
})
