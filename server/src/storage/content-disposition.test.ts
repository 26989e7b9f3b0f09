import { expect, test } from 'vitest'
import { attachmentHeader } from './content-disposition.ts'

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
