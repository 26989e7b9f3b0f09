import coreProgramUrl from '@ffmpeg/core/wasm?url'
import coreUrl from '@ffmpeg/core?url'
import { FFFSType, FFmpeg } from '@ffmpeg/ffmpeg'
import { CannotPrepare, type FallbackRequest } from '../prepare.ts'
import { serveTask } from '../worker-pool.ts'
import { findLoss } from './probe.ts'

const OUTPUT = 'converted.mp4'

/** Converts with ffmpeg compiled to WebAssembly: slow, but it supports nearly every format. */
serveTask(async ({ file, coreUrl: elsewhere }: FallbackRequest, report): Promise<Blob> => {
  const ffmpeg = new FFmpeg()
  const log: string[] = []
  ffmpeg.on('log', ({ message }) => log.push(message))
  ffmpeg.on('progress', ({ progress }) => report(100 * progress))
  try {
    await ffmpeg.load(coreAt(elsewhere))
    await ffmpeg.createDir('/input')
    await ffmpeg.mount(FFFSType.WORKERFS, { blobs: [{ name: 'video', data: file }] }, '/input')
    const code = await ffmpeg.exec(conversion('/input/video'))
    if (code !== 0) throw failureOf(log)
    const mp4 = new Blob([(await ffmpeg.readFile(OUTPUT)) as Uint8Array<ArrayBuffer>], { type: 'video/mp4' })
    const loss = await findLoss(mp4, whatWasFound(log))
    if (loss) throw new CannotPrepare(loss)
    return mp4
  } finally {
    ffmpeg.terminate()
  }
})

function failureOf(log: readonly string[]): Error {
  const last = log.findLast(line => line.trim() !== '')
  return last === undefined ? new CannotPrepare('silentEnd') : new Error(last)
}

function coreAt(folder: string | undefined): { coreURL: string; wasmURL: string } {
  if (!folder) return { coreURL: absolute(coreUrl), wasmURL: absolute(coreProgramUrl) }
  const base = folder.endsWith('/') ? folder : `${folder}/`
  return { coreURL: `${base}ffmpeg-core.js`, wasmURL: `${base}ffmpeg-core.wasm` }
}

/** The library loads its core in another worker, where relative URLs do not resolve. */
function absolute(url: string): string {
  return new URL(url, location.origin).href
}

function conversion(input: string): string[] {
  return [
    ...['-i', input],
    // Fails if the audio cannot be decoded, instead of dropping it.
    ...['-map', '0:v:0', '-map', '0:a:0?'],
    ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '23', '-pix_fmt', 'yuv420p'],
    // H.264 requires even sides. Screens do not show more than 60 frames per second.
    ...['-vf', 'scale=trunc(iw/2)*2:trunc(ih/2)*2', '-fpsmax', '60'],
    ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2'],
    ...['-map_metadata', '-1', '-movflags', '+faststart', OUTPUT],
  ]
}

/** ffmpeg logs its input before its output. */
function whatWasFound(log: readonly string[]) {
  const input = log.slice(
    0,
    log.findIndex(line => line.startsWith('Output #0')),
  )
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d\d):(\d\d\.\d+)/.exec(input.join('\n')) ?? []
  return {
    sound: input.some(line => /Stream #0:\d+.*: Audio:/.test(line)),
    seconds: seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
  }
}
