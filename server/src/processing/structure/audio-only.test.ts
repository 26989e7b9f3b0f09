import { open, readFile, writeFile } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { h264, h264AndAac, openClipFolder, PATIENCE, picture, sound } from '../../../test/processing/video-clips.ts'
import { detectFormat } from '../detect-format.ts'
import { isAudioOnly, isAudioOnlyHandle } from './audio-only.ts'

vi.setConfig(PATIENCE)
const clipFolder = await openClipFolder()
afterAll(() => clipFolder[Symbol.asyncDispose]())

const isAudioOnlyFile = async (path: string) => isAudioOnly(path, (await detectFormat(path))?.format)

const aac = ['-c:a', 'aac']
const opus = ['-c:a', 'libopus']
const live = ['-movflags', 'frag_keyframe+empty_moov']

test.each([
  ['song.mp4', aac],
  ['first.mp4', [...aac, '-movflags', '+faststart']],
  ['live.mp4', [...aac, ...live]],
  ['song.m4a', aac],
  ['song.mov', aac],
  ['song.mkv', aac],
  ['song.webm', opus],
  ['live.webm', [...opus, '-live', '1']],
  ['song.avi', ['-c:a', 'mp2']],
  ['song.ogg', ['-c:a', 'libvorbis']],
  ['song.wma', ['-c:a', 'wmav2']],
  ['song.flv', ['-c:a', 'aac']],
  ['song.wav', []],
  ['song.mp3', ['-c:a', 'libmp3lame']],
  ['bare.mp3', ['-c:a', 'libmp3lame', '-id3v2_version', '0', '-write_xing', '0']],
  ['song.flac', []],
  ['song.aiff', []],
])('%s holds sound and no picture', async (name, args) => {
  expect(await isAudioOnlyFile(await clipFolder.make(name, ...sound(1), ...args))).toBe(true)
})

test.each([
  ['film.mp4', h264AndAac],
  ['live-film.mp4', [...h264AndAac, ...live]],
  ['film.mov', h264AndAac],
  ['film.3gp', [...h264AndAac]],
  ['film.mkv', h264AndAac],
  ['film.webm', ['-c:v', 'libvpx', ...opus]],
  ['live-film.webm', ['-c:v', 'libvpx', ...opus, '-live', '1']],
  ['film.avi', ['-c:v', 'mpeg4', '-c:a', 'mp2']],
  ['film.ts', h264AndAac],
])('%s holds a picture too', async (name, args) => {
  expect(await isAudioOnlyFile(await clipFolder.make(name, ...picture(), ...sound(), ...args))).toBe(false)
})

/** An AVI with these streams, each followed by an index of that many bytes. */
function makeAvi(kinds: string[], indexBytes: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const header = Buffer.from(`${type}\0\0\0\0`, 'latin1')
    header.writeUInt32LE(content.length, 4)
    return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
  }
  const list = (type: string, ...chunks: Buffer[]) => chunk('LIST', Buffer.concat([Buffer.from(type), ...chunks]))
  const streams = kinds.map(kind =>
    list(
      'strl',
      chunk('strh', Buffer.concat([Buffer.from(kind), Buffer.alloc(52)])),
      chunk('indx', Buffer.alloc(indexBytes)),
    ),
  )
  const headers = list('hdrl', chunk('avih', Buffer.alloc(56)), ...streams)
  return chunk('RIFF', Buffer.concat([Buffer.from('AVI '), headers, list('movi')]))
}

test('the streams of an AVI are found behind a long index', async () => {
  const path = clipFolder.at('indexed.avi')
  const answer = async (avi: Buffer) => {
    await writeFile(path, avi)
    return isAudioOnlyFile(path)
  }
  expect(await answer(makeAvi(['auds', 'vids'], 20_001))).toBe(false)
  expect(await answer(makeAvi(['auds', 'auds', 'vids'], 100_000))).toBe(false)
  expect(await answer(makeAvi(['auds', 'iavs'], 32))).toBe(false)
  expect(await answer(makeAvi(['auds', 'auds'], 20_001))).toBe(true)
  // Its end is missing, which might contain a video stream.
  expect(await answer(makeAvi(['auds', 'auds'], 20_001).subarray(0, 30_000))).toBe(false)
})

test('a film without sound, and what is no film, are not sound', async () => {
  expect(await isAudioOnlyFile(await clipFolder.make('silent.mp4', ...picture(), ...h264))).toBe(false)
  expect(await isAudioOnlyFile(await clipFolder.make('still.jpg', ...picture(), '-frames:v', '1'))).toBe(false)
  await writeFile(clipFolder.at('letter.txt'), 'Dear all')
  expect(await isAudioOnlyFile(clipFolder.at('letter.txt'))).toBe(false)
})

test('a file cut anywhere, or changed anywhere, is answered without an error', async () => {
  for (const name of ['torn.mp4', 'torn.mkv', 'torn.avi']) {
    const whole = await readFile(await clipFolder.make(name, ...sound(1), ...aac))
    for (let at = 0; at < Math.min(whole.length, 400); at += 3) {
      await writeFile(clipFolder.at(name), Buffer.from(whole).fill(0xff, at, at + 4))
      await isAudioOnlyFile(clipFolder.at(name))
      await writeFile(clipFolder.at(name), Buffer.from(whole).fill(0, at, at + 4))
      await isAudioOnlyFile(clipFolder.at(name))
    }
    for (const length of [0, 3, 9, 40, 200]) {
      await writeFile(clipFolder.at(name), whole.subarray(0, length))
      expect(await isAudioOnlyFile(clipFolder.at(name))).toBe(false)
    }
  }
})

test('a file of nothing but headers is given up on at once', async () => {
  const box = Buffer.from('\0\0\0\x08free', 'latin1')
  const start = Buffer.from('\0\0\0\x10ftypisom\0\0\0\0', 'latin1')
  const path = clipFolder.at('boxes.mp4')
  await writeFile(path, Buffer.concat([start, ...Array.from({ length: 1_000_000 }, () => box)]))
  await using file = await open(path)
  const read = vi.spyOn(file, 'read')
  expect(await isAudioOnlyHandle(file, 'mp4')).toBe(false)
  // Reads only the first 2,000 headers of its 8 MB, which take one or two windows of 64 KB.
  expect(read.mock.calls.length).toBeLessThan(5)
})
