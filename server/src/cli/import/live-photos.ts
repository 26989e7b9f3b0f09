import type { House } from '../../house.ts'
import { recognise } from '../../processing/recognise.ts'
import { probeVideo } from '../../processing/video/probe.ts'
import type { TreeFile } from './walk.ts'

/** Live Photos last three seconds. What is longer is a film that bears the name of a photo by chance. */
const LONGEST_SECONDS = 6

/** Whether two files of one name are the halves of a Live Photo. Where that cannot be told, they are two files. */
export async function isLivePhoto(
  { tools, signal }: Pick<House, 'tools'> & { signal: AbortSignal },
  still: TreeFile,
  clip: TreeFile,
): Promise<boolean> {
  try {
    const [photo, film, ffmpeg] = [await recognise(still.path), await recognise(clip.path), await tools.ffmpeg()]
    if (photo?.kind !== 'image' || film?.kind !== 'video' || !ffmpeg) return false
    const { durationSeconds } = await probeVideo(clip.path, { ffmpeg, signal })
    return durationSeconds !== null && durationSeconds <= LONGEST_SECONDS
  } catch {
    signal.throwIfAborted()
    // What is wrong with it is said when it is taken in by itself.
    return false
  }
}

const STILL = /\.(?:heic|heif|jpe?g)$/i
const CLIP = /\.mov$/i

/** Which of these names of one folder may be the clip of which: IMG_1.MOV of IMG_1.HEIC, where there is but one such. */
export function clipsByStill(names: readonly string[]): Map<string, string> {
  const stemOf = (name: string) => name.slice(0, name.lastIndexOf('.')).toLowerCase()
  const stills = Map.groupBy(
    names.filter(name => STILL.test(name)),
    stemOf,
  )
  const pairs = new Map<string, string>()
  for (const clip of names.filter(name => CLIP.test(name))) {
    const [still, ...others] = stills.get(stemOf(clip)) ?? []
    if (still !== undefined && others.length === 0 && !pairs.has(still)) pairs.set(still, clip)
  }
  return pairs
}
