import { expect, test } from 'vitest'
import { ffmpegError } from './explain.ts'

const explain = (said: string, ending = 'code 1') =>
  ffmpegError('converted', { ok: false, ending, stderr: said, seconds: null })

test.each([
  [
    '[mov,mp4 @ 0x1] moov atom not found\nclip: Invalid data found when processing input',
    'it seems to be cut off',
    false,
  ],
  ['file:/clip: End of file', 'it seems to be cut off', false],
  ['file:/clip: Invalid data found when processing input', 'it is damaged', false],
  ["[hls @ 0x1] Format not on whitelist 'mov,mp4'", 'it is not a video file', false],
  [
    'Decoder (codec none) not found for input stream #0:1',
    'its picture or sound is in a format that is not known here',
    false,
  ],
  [
    'Decoding requested, but no decoder found for: none',
    'its picture or sound is in a format that is not known here',
    false,
  ],
  ['Picture size 65000x65000 is invalid', 'its picture is too large', false],
  ['av_interleaved_write_frame(): No space left on device\nConversion failed!', 'the disk is full', true],
  ['Error initializing output stream: Cannot allocate memory', 'there was not enough memory', true],
])('"%s" means: %s', (said, because, worthRetrying) => {
  expect(explain(said)).toMatchObject({ message: `The video could not be converted: ${because}.`, worthRetrying })
})

test('what is not understood is said plainly, kept for the log and tried again', () => {
  const error = explain('Something new')
  expect(error).toMatchObject({ message: 'The video could not be converted.', worthRetrying: true })
  expect(error.cause).toMatchObject({ message: 'ffmpeg ended with code 1: Something new' })
})

test('an ffmpeg that dies of a file is tried again', () => {
  expect(explain('Invalid data found', 'SIGSEGV')).toMatchObject({ failure: 'crashed', worthRetrying: true })
})
