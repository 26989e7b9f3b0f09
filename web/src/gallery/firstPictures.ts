import type { MediaFile } from '#contract/media.ts'
import type { View } from './address.ts'
import type { ListIndex } from './files/queries.ts'
import { arrange } from './layout/arrange.ts'
import { ABOVE_FILES, likelyWidth } from './layout/likely.ts'
import { scrubs, tileSide } from './layout/measures.ts'
import { pictureFor } from './picture.ts'

/** The pictures come while the page is drawn, for which a tablet takes as long as for them. */
export function loadFirstPictures(
  files: readonly MediaFile[],
  index: ListIndex,
  { view, names }: { view: View; names: boolean },
): void {
  if (view !== 'grid') return
  const width = likelyWidth(scrubs(index))
  const { layout } = arrange(index, { view, names, width, rem: 16 })
  const side = tileSide(width, layout.measures.columns)
  const first = files.slice(0, layout.lastIndexAt(window.innerHeight - ABOVE_FILES) + 1)
  const pictures = first.flatMap(file => pictureFor(file, side * window.devicePixelRatio) ?? []).map(loaded)
  // A picture that nobody holds may be forgotten before it is drawn.
  setTimeout(() => pictures.splice(0), HELD_MS)
}

const HELD_MS = 10_000

function loaded(address: string): HTMLImageElement {
  const picture = new Image()
  picture.fetchPriority = 'high'
  picture.src = address
  return picture
}
