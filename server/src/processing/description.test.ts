import { expect, test } from 'vitest'
import { describedBy, titledBy } from './description.ts'

const camera = { name: 'P1010012.JPG', make: 'OLYMPUS IMAGING CORP.', model: 'E-M10', software: 'Ver.1.1' }

test('the words of a person are found wherever programs write them, in this order', () => {
  const all = {
    'XMP:Description': 'Granny at the lake',
    'IPTC:Caption-Abstract': 'Granny',
    'EXIF:ImageDescription': 'OLYMPUS DIGITAL CAMERA',
  }
  expect(describedBy(all, camera)).toBe('Granny at the lake')
  const { 'XMP:Description': _, ...others } = all
  expect(describedBy(others, camera)).toBe('Granny')
  expect(describedBy({ 'EXIF:ImageDescription': 'Lisbon\r\nThe tram ' }, camera)).toBe('Lisbon\r\nThe tram')
  expect(describedBy({ 'EXIF:ImageDescription': 1974 }, camera)).toBe('1974')
  expect(describedBy({ 'QuickTime:Description': 'First steps' }, camera)).toBe('First steps')
})

test.each([
  'OLYMPUS DIGITAL CAMERA         ',
  'SONY DSC',
  'KODAK Digital Still Camera',
  'MINOLTA DIGITAL CAMERA',
  'Exif_JPEG_PICTURE',
  'SAMSUNG',
  'DCIM\\100MEDIA\\DJI_0006.JPG',
  '<Digimax S500 / Kenox S500 / Digimax Cyber 530>',
  'charset=Ascii',
  'Untitled',
  'E-M10',
  'P1010012',
  'P1010012.JPG',
  ' \0\0\0',
  '----',
  '',
])('what a camera writes by itself is no caption: "%s"', text => {
  expect(describedBy({ 'EXIF:ImageDescription': text }, camera)).toBeNull()
  // Something better may be elsewhere.
  expect(describedBy({ 'XMP:Description': text, 'IPTC:Caption-Abstract': 'Rose' }, camera)).toBe('Rose')
})

test('words that only contain such a name are a caption', () => {
  for (const text of [
    'My new Olympus digital camera',
    'Samsung, our cat',
    'Untitled by Rose',
    'Digital camera class of 2003',
  ]) {
    expect(describedBy({ 'EXIF:ImageDescription': text }, camera)).toBe(text)
  }
})

test('the title of a sidecar counts, unless it is the name of the file', () => {
  expect(titledBy({ 'XMP:Title': 'The picnic' }, camera)).toBe('The picnic')
  expect(titledBy({ 'XMP:Title': 'P1010012' }, camera)).toBeNull()
})
