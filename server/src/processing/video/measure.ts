import { inputFile } from './input.ts'
import { runFfmpeg, type VideoTools } from './run-ffmpeg.ts'

/**
 * When a stream ends, in seconds, found by reading the file through without decoding; null when it holds nothing. It
 * can fall short by a few frames.
 */
export async function measureStream(path: string, index: number, tools: VideoTools): Promise<number | null> {
  const { seconds } = await runFfmpeg(tools, {
    reads: path,
    args: [...inputFile(path, tools.limits), '-map', `0:${index}`, '-c', 'copy', '-f', 'null', '-'],
  })
  return seconds === null || seconds === 0 ? null : seconds
}
