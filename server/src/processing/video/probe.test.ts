import { readFile, truncate, writeFile } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { sandboxHere } from '../../../test/processing/sandbox.ts'
import { h264, h264AndAac, openClipFolder, PATIENCE, picture, sound } from '../../../test/processing/video-clips.ts'
import { isFragmented, probeVideo } from './probe.ts'

vi.setConfig(PATIENCE)
const clipFolder = await openClipFolder(sandboxHere)
const { make, at } = clipFolder
afterAll(() => clipFolder[Symbol.asyncDispose]())

const fragments = ['-movflags', 'empty_moov+frag_keyframe+default_base_moof', '-g', '25']

/** Overwrites the duration in the header of a version 0 box. */
async function claimDuration(path: string, box: 'mvhd' | 'mdhd', duration: number): Promise<void> {
  const bytes = await readFile(path)
  // Version and flags, two times and the timescale, 4 bytes each, precede it.
  bytes.writeUInt32BE(duration, bytes.indexOf(box) + 4 + 16)
  await writeFile(path, bytes)
}

test.each([
  ['unknown (all ones)', 0xffff_ffff],
  ['that of one fragment', 30_000],
  ['a wrong one', 900_000_000],
])('a fragmented MP4 lasts as long as its fragments, whatever its header claims: %s', async (_what, claimed) => {
  const path = await make(
    'fragments.mp4',
    ...picture('160x120', 4),
    ...h264,
    '-video_track_timescale',
    '30000',
    ...fragments,
  )
  await claimDuration(path, 'mdhd', claimed)
  const { durationSeconds } = await probeVideo(path, clipFolder)
  expect(durationSeconds).toBeGreaterThan(3.7)
  expect(durationSeconds).toBeLessThan(4.2)
})

test('a fragmented MP4 whose sound goes on after the picture lasts as long as its sound', async () => {
  const path = await make('sound.mp4', ...picture('160x120', 2), ...sound(5), ...h264AndAac, ...fragments)
  expect((await probeVideo(path, clipFolder)).durationSeconds).toBeCloseTo(5, 0)
})

test('an ordinary MP4 that claims to last for days is measured', async () => {
  const path = await make('days.mp4', ...picture('160x120', 4), ...h264, '-video_track_timescale', '30000')
  await claimDuration(path, 'mdhd', 0xffff_ffff)
  await claimDuration(path, 'mvhd', 0xffff_ffff)
  const { durationSeconds } = await probeVideo(path, clipFolder)
  expect(durationSeconds).toBeGreaterThan(3.7)
  expect(durationSeconds).toBeLessThan(4.2)
})

test('fragments are found behind the media data too, and broken boxes end the search', async () => {
  const path = await make('plain.mp4', ...picture(), ...h264)
  expect(await isFragmented(path)).toBe(false)
  const fragmented = await make('fragments.mp4', ...picture(), ...h264, ...fragments)
  expect(await isFragmented(fragmented)).toBe(true)
  const bytes = await readFile(fragmented)
  const free = Buffer.alloc(16)
  free.writeUInt32BE(1, 0)
  free.write('mdat', 4, 'latin1')
  free.writeBigUInt64BE(16n, 8)
  await writeFile(at('later.mp4'), Buffer.concat([free, bytes]))
  expect(await isFragmented(at('later.mp4'))).toBe(true)
  await writeFile(at('broken.mp4'), Buffer.concat([Buffer.from('\0\0\0\x03free', 'latin1'), bytes]))
  expect(await isFragmented(at('broken.mp4'))).toBe(false)
  await truncate(fragmented, 20)
  expect(await isFragmented(fragmented)).toBe(false)
})
