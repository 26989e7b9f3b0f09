import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Ffmpeg, findFfmpeg } from './find-ffmpeg.ts'

/** Small clips for tests, made by the ffmpeg under test: FFMPEG_PATH, as for the server. */
export async function ffmpegUnderTest(): Promise<Ffmpeg> {
  const ffmpeg = await findFfmpeg({ configuredPath: process.env.FFMPEG_PATH, searchPath: process.env.PATH })
  if (!ffmpeg) throw new Error('These tests need an ffmpeg: install one, or set FFMPEG_PATH')
  return ffmpeg
}

export interface Workshop extends AsyncDisposable {
  readonly ffmpeg: Ffmpeg
  /** The path of a file in the workshop's folder. */
  at(name: string): string
  /** Runs ffmpeg bare, with none of the limits that the product sets; gives the path of what it wrote. */
  make(name: string, ...args: string[]): Promise<string>
}

export const picture = (size = '160x120', seconds = 2) => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25:duration=${seconds}`],
]
export const sound = (seconds = 2) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
export const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
export const h264AndAac = [...h264, '-c:a', 'aac']

/** A folder to make clips in; it goes away with everything in it. */
export async function openWorkshop(): Promise<Workshop> {
  const ffmpeg = await ffmpegUnderTest()
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
