import { inputFile } from './input.ts'
import { runFfmpeg, type VideoTools } from './run-ffmpeg.ts'

/** {@link measureStreams} of one. */
export function measureStream(path: string, index: number, tools: VideoTools): Promise<number | null> {
  return measureStreams(path, [index], tools)
}

/**
 * When the last of these streams ends, in seconds, found by reading the file through without decoding; null when they
 * hold nothing. It can fall short by a few frames.
 */
export async function measureStreams(
  path: string,
  indexes: readonly number[],
  tools: VideoTools,
): Promise<number | null> {
  const { seconds } = await runFfmpeg(tools, {
    reads: path,
    args: [
      ...inputFile(path, tools.limits),
      ...indexes.flatMap(index => ['-map', `0:${index}`]),
      ...['-c', 'copy', '-f', 'null', '-'],
    ],
  })
  return seconds === null || seconds === 0 ? null : seconds
}
