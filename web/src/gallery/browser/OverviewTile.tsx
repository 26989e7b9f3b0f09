import { memo, useRef } from 'react'
import { backgroundColour } from '../../media/thumbhash.ts'
import { useBlurred } from '../Thumbnail.tsx'
import { loadedThumbnail } from '../thumbnail-source.ts'
import { accessibleName } from './file-description.ts'
import type { CellProps } from './Tile.tsx'

interface Props extends Omit<CellProps, 'renaming' | 'onRenaming'> {
  side: number
}

/**
 * A tiny photo of the overview: its placeholder, which the list contains, because hundreds of thumbnails would be several
 * megabytes. One that has been loaded before is shown itself.
 */
export const OverviewTile = memo(function OverviewTile(props: Props) {
  const { file, index, total, column, side, selected, current } = props
  const picture = useRef<HTMLDivElement>(null)
  useBlurred(picture, file?.thumbhash ?? null)
  const colour = file?.thumbhash ? backgroundColour(file.thumbhash) : undefined
  const loaded = file && loadedThumbnail(file.id)
  return (
    <td
      role="gridcell"
      aria-colindex={column + 1}
      aria-busy={file === undefined || undefined}
      aria-selected={file && selected}
      aria-label={file && accessibleName(file, index, total, 'nothing')}
      title={file?.original_name}
      data-index={index}
      tabIndex={current ? 0 : -1}
      className="overview-tile"
      style={{ height: side, width: side }}
    >
      <div ref={picture} style={colour === undefined ? undefined : { backgroundColor: colour }}>
        {loaded !== undefined && <img src={loaded} alt="" draggable={false} decoding="async" />}
      </div>
    </td>
  )
})
