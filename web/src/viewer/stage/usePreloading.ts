import { useEffect } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { preload } from './preloaded.ts'
import { pictureFor } from './sources.ts'
import { fitted, type Size } from './zoom.ts'

/** Fetches and decodes the pictures that an arrow key would show, in the size in which they would be shown. */
export function usePreloading(soon: readonly MediaFile[], stage: Size, options: { still: boolean }): void {
  const addresses = soon.flatMap(file => addressOf(file, stage, options) ?? [])
  const all = addresses.join('\n')
  useEffect(() => {
    // The likeliest is asked for last, so that it is the last to be dropped.
    for (const address of all.split('\n').toReversed()) if (address !== '') preload(address)
  }, [all])
}

function addressOf(file: MediaFile, stage: Size, options: { still: boolean }): string | undefined {
  if (stage.width === 0) return undefined
  if (file.file_type === 'video') return file.variant_urls?.website ?? file.thumbnail_url ?? undefined
  const box = fitted({ width: file.width ?? stage.width, height: file.height ?? stage.height }, stage, 0)
  return pictureFor(file, Math.max(box.width, box.height) * window.devicePixelRatio, options)
}
