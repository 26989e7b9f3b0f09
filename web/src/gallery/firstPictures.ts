import type { MediaFile } from '#contract/media.ts'
import type { ListIndex } from './files/queries.ts'
import type { View } from './gallery-address.ts'
import { likelyLeft, likelyTop, likelyWidth } from './layout/likely.ts'
import { createListLayout, GAP, hasScrubber, tileSide } from './layout/list-layout.ts'
import { thumbnailUrlFor } from './thumbnail-source.ts'

/** A picture of the first screen, and where it will most likely stand on the page. */
export interface FirstPicture {
  image: HTMLImageElement
  left: number
  top: number
  side: number
}

/** The pictures come while the page is drawn, for which a tablet takes as long as for them. */
export function loadFirstPictures(
  files: readonly MediaFile[],
  index: ListIndex,
  { view, names }: { view: View; names: boolean },
): FirstPicture[] {
  if (view !== 'grid') return []
  const width = likelyWidth(index.total, hasScrubber(index))
  const [left, top] = [likelyLeft(index.total), likelyTop()]
  const { layout } = createListLayout(index, { view, names, width, rem: 16 })
  const side = tileSide(width, layout.measures.columns)
  const pictures = files.slice(0, layout.lastIndexAt(window.innerHeight - top) + 1).flatMap((file, i) => {
    const address = thumbnailUrlFor(file, side * window.devicePixelRatio)
    if (address === undefined) return []
    const place = layout.placeOf(i)
    return { image: loaded(address), left: left + place.column * (side + GAP), top: top + place.top, side }
  })
  // A picture that nobody holds may be forgotten before it is drawn.
  const held = [...pictures]
  setTimeout(() => held.splice(0), HELD_MS)
  return pictures
}

const HELD_MS = 10_000

function loaded(address: string): HTMLImageElement {
  const image = new Image()
  image.fetchPriority = 'high'
  image.src = address
  return image
}
