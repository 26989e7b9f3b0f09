import type { MediaFile } from '#contract/media.ts'
import { blurredPicture } from '../../media/thumbhash.ts'
import { prefetchUrlOf } from './prefetch-images.ts'
import { rotationOfImage, savedSize, turnedStyle } from './rotation.ts'
import { fitSize, type Size } from './transform.ts'

export interface PreviewProps {
  file: MediaFile
  stage: Size
  still: boolean
  videoInset: number
}

/** A still of a file that is not the open one: a neighbour during a swipe, or the previous photo of a slideshow. */
export function Preview({ file, stage, still, videoInset }: PreviewProps) {
  const box = boxFor(file, stage, { videoInset })
  const url = prefetchUrlOf(file, stage, { still })
  const turn = (address: string | undefined) =>
    turnedStyle(box, (file.rotation?.saved ?? 0) - rotationOfImage(file, address))
  const blurred = file.thumbhash === null ? undefined : blurredPicture(file.thumbhash)
  return (
    <div aria-hidden="true" className="picture-box" style={{ width: box.width, height: box.height }}>
      {blurred !== undefined && (
        <img src={blurred} alt="" draggable={false} className="blurred" style={turn(undefined)} />
      )}
      {file.thumbnail_url !== null && (
        <img src={file.thumbnail_url} alt="" draggable={false} className="picture" style={turn(file.thumbnail_url)} />
      )}
      {url !== undefined && (
        <img src={url} alt="" draggable={false} decoding="sync" className="picture" style={turn(url)} />
      )}
    </div>
  )
}

/** The size at which the stage shows a file at 1×. */
export function boxFor(file: MediaFile, stage: Size, { videoInset = 0, rotation = 0 }): Size {
  const inset = file.file_type === 'video' ? 2 * videoInset : 0
  const room = { width: stage.width, height: Math.max(0, stage.height - inset) }
  return fitSize(savedSize(file) ?? room, room, rotation)
}
