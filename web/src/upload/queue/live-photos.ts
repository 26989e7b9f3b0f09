import { uploadDialog } from '#contract/limits.ts'
import type { NewFile } from './item.ts'

const STILL = /\.(heic|heif|jpe?g)$/i
const CLIP = /\.(mov|mp4)$/i

/** Puts a Live Photo's still and clip together: chosen together, called the same, from one folder. */
export function pairLivePhotos(chosen: readonly NewFile[]): NewFile[] {
  const clips = new Map<string, NewFile>()
  for (const one of chosen) {
    if (CLIP.test(one.file.name) && one.file.size <= uploadDialog.livePhotoClipBytes) clips.set(placeOf(one), one)
  }
  const withStill = new Set<NewFile>()
  const paired = chosen.map(one => {
    const clip = STILL.test(one.file.name) ? clips.get(placeOf(one)) : undefined
    // An edited still beside its HEIC is called the same; the clip belongs to one of them only.
    if (clip === undefined || withStill.has(clip)) return one
    withStill.add(clip)
    return { ...one, motion: clip.file }
  })
  return paired.filter(one => !withStill.has(one))
}

function placeOf({ file, path = [] }: NewFile): string {
  return [...path, file.name.replace(/\.[^.]*$/, '').toLowerCase()].join('/')
}
