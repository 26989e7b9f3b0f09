import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { pathBelow, type RootFolder, type SafePath } from '#server/kit/safe-path.ts'
import type { Ffmpeg } from '#server/processing/video/find-ffmpeg.ts'
import { paint } from './paint.ts'
import type { StoryFile } from './story.ts'

const SECONDS = 3

/** A short film that moves slowly into a painted picture, with a quiet tone. */
export async function film(file: StoryFile, ffmpeg: Ffmpeg, folder: RootFolder): Promise<SafePath> {
  const still = pathBelow(folder, 'still.jpg')
  const path = pathBelow(folder, 'film.mp4')
  await writeFile(still, await paint(file, 'jpeg'))
  const taken = file.metadata?.dateTimeOriginal ? ['-metadata', `creation_time=${file.taken.local}Z`] : []
  await promisify(execFile)(ffmpeg.path, [
    ...['-nostdin', '-loglevel', 'error', '-y', '-i', still],
    ...['-f', 'lavfi', '-i', `sine=frequency=${220 + (file.number % 5) * 55}:duration=${SECONDS}`],
    ...['-vf', `zoompan=z='1+on/400':d=${SECONDS * 25}:s=960x540:fps=25,format=yuv420p`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-c:a', 'aac', '-b:a', '48k', '-af', 'volume=0.05'],
    ...['-shortest', '-movflags', '+faststart', ...taken, path],
  ])
  return path
}
