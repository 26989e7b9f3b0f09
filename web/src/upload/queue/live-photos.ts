import { uploadDialog } from '#contract/limits.ts'
import { clipsByStill } from '#contract/motion-photos.ts'
import type { NewFile } from './item.ts'

/**
 * Puts what may be a Live Photo's still and clip together: chosen together, of one name, from one folder. The server reads
 * both, and makes two files of them where they do not belong together.
 */
export function pairLivePhotos(chosen: readonly NewFile[]): NewFile[] {
  const clips = new Map<NewFile, NewFile>()
  for (const folder of Map.groupBy(chosen, ({ path = [] }) => path.join('/')).values()) {
    for (const [still, clip] of clipsByStill(folder, ({ file }) => file.name)) {
      if (clip.file.size <= uploadDialog.livePhotoClipBytes) clips.set(still, clip)
    }
  }
  const withStill = new Set(clips.values())
  return chosen
    .filter(one => !withStill.has(one))
    .map(one => {
      const clip = clips.get(one)
      return clip ? { ...one, motion: clip.file } : one
    })
}
