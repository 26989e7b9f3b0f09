import type { GridFile } from '#contract/grid.ts'
import { variants } from '#contract/limits.ts'

export type ThumbnailUrls = Pick<GridFile, 'thumbnail_url' | 'mobile_url' | 'ratio'>

export interface Size {
  width: number
  height: number
}

/** The URLs of the thumbnails that were loaded last, by file: the viewer shows them first. */
const loaded = new Map<number, string>()
const MAX_LOADED = 500

export function rememberLoaded(id: number, url: string): void {
  loaded.delete(id)
  loaded.set(id, url)
  const [oldest] = loaded.keys()
  if (loaded.size > MAX_LOADED && oldest !== undefined) loaded.delete(oldest)
}

export function loadedThumbnail(id: number): string | undefined {
  return loaded.get(id)
}

/** Upscaling by this factor is not visible. */
const TOLERANCE = 1.2

/** The smallest image that covers a tile sharply: the thumbnail or the next size. */
export function thumbnailUrlFor(file: ThumbnailUrls, tile: Size, devicePixelRatio: number): string | undefined {
  const { thumbnail_url, mobile_url, ratio } = file
  // The image is cropped to the tile from its centre, so this is the size of the whole image.
  const width = Math.max(tile.width, tile.height * ratio) * devicePixelRatio
  const isEnough = Math.max(width, width / ratio) <= variants.thumbnail.maxSize * TOLERANCE
  return (isEnough ? thumbnail_url : (mobile_url ?? thumbnail_url)) ?? undefined
}
