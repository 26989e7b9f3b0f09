import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Sandbox } from '#server/processing/sandbox/sandbox.ts'
import { type Ffmpeg, findFfmpeg } from '#server/processing/video/find-ffmpeg.ts'

/** Small clips for tests, made by the ffmpeg under test: FFMPEG_PATH, as for the server. */
export async function ffmpegUnderTest(sandbox?: Sandbox): Promise<Ffmpeg> {
  const ffmpeg = await findFfmpeg({ configuredPath: process.env.FFMPEG_PATH, searchPath: process.env.PATH, sandbox })
  if (!ffmpeg) throw new Error('These tests need an ffmpeg: install one, or set FFMPEG_PATH')
  return ffmpeg
}

/** ffmpeg runs at low priority, so it is slow on a busy machine. */
export const PATIENCE = { testTimeout: 120_000, hookTimeout: 120_000 }

export interface ClipFolder extends AsyncDisposable {
  readonly ffmpeg: Ffmpeg
  /** The path of a file in the folder. */
  at(name: string): string
  /** Runs ffmpeg without the limits of the product; returns the path of the output. */
  make(name: string, ...args: string[]): Promise<string>
}

export const picture = (size = '160x120', seconds = 2) => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${seconds}`],
]
export const sound = (seconds = 2) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
export const h264AndAac = [...h264, '-c:a', 'aac']

/** Creation time: `2024-06-01T12:34:56`, in UTC as phones write it. */
export const filmedAt = (time: string) => ['-metadata', `creation_time=${time}Z`]

/** A temporary folder for making clips. */
export async function openClipFolder(sandbox?: Sandbox): Promise<ClipFolder> {
  const ffmpeg = await ffmpegUnderTest(sandbox)
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-video-'))
  const at = (name: string) => join(folder, name)
  return {
    ffmpeg,
    at,
    async make(name, ...args) {
      await promisify(execFile)(ffmpeg.path, ['-nostdin', '-loglevel', 'error', '-y', ...args, `file:${at(name)}`])
      return at(name)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Replaces every occurrence of a text in a file by one of the same length. */
export async function overwrite(path: string, text: string, by: string): Promise<void> {
  const bytes = await readFile(path)
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) Buffer.from(by).copy(bytes, at)
  await writeFile(path, bytes)
}

/** Turns an MP4 with HEVC into a HEIF sequence, which differs only in its brands and the kind of its track. */
export async function makeHeifSequence(path: string): Promise<void> {
  await overwrite(path, 'ftypisom', 'ftyphevc')
  await overwrite(path, 'iso2', 'msf1')
  await overwrite(path, 'vide', 'pict')
}

/** Makes players rotate an MP4 or MOV by 90 degrees clockwise, as for a phone held upright. */
export async function turnClockwise(path: string): Promise<void> {
  const bytes = await readFile(path)
  // The first matrix is that of the movie; the one after `tkhd` is the first track's.
  const upright = bytes.indexOf(matrixRow(1, 0, 0, 0, 1), bytes.indexOf('tkhd'))
  matrixRow(0, 1, 0, -1, 0).copy(bytes, upright)
  await writeFile(path, bytes)
}

function matrixRow(...values: number[]): Buffer {
  return Buffer.concat(
    values.map(value => {
      const fixedPoint = Buffer.alloc(4)
      fixedPoint.writeInt32BE(value * 0x10000)
      return fixedPoint
    }),
  )
}
