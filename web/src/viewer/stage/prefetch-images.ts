import { useEffect } from 'react'
import type { MediaFile } from '#contract/media.ts'
import type { Size } from '../../media/rotated.ts'
import { imageUrlFor } from './image-source.ts'
import { savedSize } from './rotation.ts'
import { fitSize } from './transform.ts'

/** Prefetches the images of the neighbours in the size in which they would be shown. */
export function usePrefetchImages(files: readonly MediaFile[], stage: Size, options: { still: boolean }): void {
  const addresses = files.flatMap(file => prefetchUrlOf(file, stage, options) ?? [])
  const all = addresses.join('\n')
  useEffect(() => {
    // The most likely one is requested last, so that the LRU cache keeps it longest.
    for (const address of all.split('\n').toReversed()) if (address !== '') prefetchImage(address)
  }, [all])
}

/** The image of a file as the stage will show it first: of a video its poster. */
export function prefetchUrlOf(file: MediaFile, stage: Size, options: { still: boolean }): string | undefined {
  if (stage.width === 0) return undefined
  if (file.file_type === 'video') return file.variant_urls?.website ?? file.thumbnail_url ?? undefined
  const box = fitSize(savedSize(file) ?? stage, stage, 0)
  return imageUrlFor(file, Math.max(box.width, box.height) * window.devicePixelRatio, options)
}

/** LRU cache of decoded images. Small, because each is as large as the screen. */

const MAX_CACHED = 6

const cache = new Map<string, HTMLImageElement>()
const decoded = new WeakSet<HTMLImageElement>()

function prefetchImage(address: string): void {
  const known = cache.get(address)
  cache.delete(address)
  cache.set(address, known ?? startLoading(address))
  for (const [oldest, image] of cache) {
    if (cache.size <= MAX_CACHED) break
    cache.delete(oldest)
    // Aborts a download that is no longer needed.
    if (!image.complete) image.src = ''
  }
}

function startLoading(address: string): HTMLImageElement {
  const image = new Image()
  image.src = address
  image.decode().then(
    () => decoded.add(image),
    // The viewer reports the error when the file is opened.
    () => undefined,
  )
  return image
}

/** Whether an image can be displayed in the next frame. */
export function isPrefetched(address: string): boolean {
  const image = cache.get(address)
  return image !== undefined && decoded.has(image)
}
