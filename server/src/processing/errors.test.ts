import { expect, test } from 'vitest'
import { decodingFailure, ProcessingError, type ProcessingFailure, unreadable } from './errors.ts'

test("a damaged file is explained in a plain sentence, and the decoder's words are the cause", () => {
  const error = new Error("UnableToReadImageData `' @ error/jxl.c/ReadJXLImage/825")
  const failure = decodingFailure(error)
  expect(failure).toMatchObject({ failure: 'unreadable', message: 'The file is damaged and could not be read.' })
  expect(failure.cause).toBe(error)
  const message = 'The file is damaged and could not be read (its end is missing).'
  expect(unreadable({ reason: 'its end is missing' }).message).toBe(message)
})

test.each([
  ['time', false],
  ['too_complex', false],
  ['too_large', false],
  ['unreadable', false],
  ['memory', false],
  ['crashed', true],
  ['no_space', true],
] satisfies [ProcessingFailure, boolean][])('after the failure "%s" trying again is worth it: %s', (failure, worth) => {
  expect(new ProcessingError(failure, 'A sentence.').isRetryable).toBe(worth)
})

test.each([
  ["no decode delegate for this image format `XYZ' @ error/constitute.c/ReadImage/746", 'unsupported'],
  ['Input file has corrupt header: VipsJpeg: Unsupported JPEG process: SOF type 0xc5', 'unsupported'],
  ['tiff2vips: LZMA compression support is not configured', 'unsupported'],
  ['Corrupt JPEG data: bad Huffman code\nVipsJpeg: Unsupported JPEG process: SOF type 0xc5', 'unreadable'],
  ['VipsJpeg: premature end of JPEG image', 'unreadable'],
  ['Input file has corrupt header: VipsJpeg: JPEG datastream contains no image', 'unreadable'],
] satisfies [string, ProcessingFailure][])('a decoder that says "%s" found the file %s', (message, failure) => {
  expect(decodingFailure(new Error(message)).failure).toBe(failure)
})
