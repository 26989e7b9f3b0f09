import { useState } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { rotatedStyle, type Size } from '../../media/rotated.ts'
import { blurredPicture } from '../../media/thumbhash.ts'
import type { TilePicture } from '../../media/viewed-file.ts'
import { prefetchUrlOf } from './prefetch-images.ts'
import { rotationOfImage, savedSize } from './rotation.ts'
import { fitSize } from './transform.ts'

export interface PreviewProps {
  file: MediaFile
  stage: Size
  still: boolean
  videoInset: Size
}

/** A still of a file that is not the open one: a neighbour during a swipe, or the previous photo of a slideshow. */
export function Preview({ file, stage, still, videoInset }: PreviewProps) {
  const box = boxFor(file, stage, videoInset)
  const url = prefetchUrlOf(file, stage, { still })
  const rotated = (address: string | undefined) =>
    rotatedStyle(box, (file.rotation?.saved ?? 0) - rotationOfImage(file, address))
  const blurred = file.thumbhash === null ? undefined : blurredPicture(file.thumbhash)
  return (
    <div aria-hidden="true" className="picture-box" style={{ width: box.width, height: box.height }}>
      {blurred !== undefined && (
        <img src={blurred} alt="" draggable={false} className="blurred" style={rotated(undefined)} />
      )}
      {file.thumbnail_url !== null && (
        <img
          src={file.thumbnail_url}
          alt=""
          draggable={false}
          className="picture"
          style={rotated(file.thumbnail_url)}
        />
      )}
      {url !== undefined && (
        <img src={url} alt="" draggable={false} decoding="sync" className="picture" style={rotated(url)} />
      )}
    </div>
  )
}

interface TilePreviewProps extends Omit<PreviewProps, 'file' | 'still'> {
  tile: TilePicture
}

/** The picture of the tile that was opened, which the browser has already, until the file is loaded. */
export function TilePreview({ tile, stage, videoInset }: TilePreviewProps) {
  const [loaded, setLoaded] = useState(false)
  const room = roomFor(tile.file_type, stage, videoInset)
  const blurred = tile.thumbhash === null ? undefined : blurredPicture(tile.thumbhash)
  // Large enough to be fitted into any screen.
  const box = fitSize({ width: tile.ratio * 10_000, height: 10_000 }, room, 0)
  return (
    <>
      {blurred !== undefined && !loaded && (
        <div className="picture-box" style={box}>
          <img src={blurred} alt="" draggable={false} className="blurred" />
        </div>
      )}
      {tile.url !== undefined && (
        // Its own proportion is more exact than that of the tile.
        <div className="picture-box" style={room}>
          <img
            src={tile.url}
            alt=""
            draggable={false}
            decoding="sync"
            onLoad={() => setLoaded(true)}
            className="picture"
          />
        </div>
      )}
    </>
  )
}

/** The size at which the stage shows a file at 1×. */
export function boxFor(file: MediaFile, stage: Size, videoInset: Size, rotation = 0): Size {
  const room = roomFor(file.file_type, stage, videoInset)
  return fitSize(savedSize(file) ?? room, room, rotation)
}

function roomFor(type: MediaFile['file_type'], stage: Size, inset: Size): Size {
  if (type === 'image') return stage
  return { width: Math.max(0, stage.width - 2 * inset.width), height: Math.max(0, stage.height - 2 * inset.height) }
}
