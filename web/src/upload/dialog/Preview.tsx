import { Film, Image } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { extensionOf, isVideo } from '../accept.ts'
import { type Preview as Picture, previewOf } from './preview-cache.ts'

/** In CSS pixels. */
const SIZE = 56

interface Props {
  file: File
  /** For a file that this browser cannot decode. */
  thumbnail: Blob | null
  /** As large as what contains it. */
  fills?: boolean
}

/** A small square picture of a chosen photo or video; an icon for what this browser cannot decode. */
export function Preview({ file, thumbnail, fills = false }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [picture, setPicture] = useState<Picture | null>(null)
  useEffect(() => {
    const { picture, cancel } = previewOf(thumbnail ?? file)
    void picture.then(setPicture)
    return cancel
  }, [file, thumbnail])
  useEffect(() => {
    if (picture !== null) canvas.current?.getContext('2d')?.drawImage(picture, 0, 0)
  }, [picture])
  const Kind = isVideo(file) ? Film : Image
  return (
    <span
      className={`grid shrink-0 place-items-center overflow-hidden bg-sunken text-ink-soft ${fills ? 'size-full' : 'rounded-control'}`}
    >
      {picture === null ? (
        <span aria-hidden="true" className="flex size-[56px] flex-col items-center justify-center">
          <Kind className="size-6" />
          <span className="max-w-full truncate px-1 text-fine uppercase">{extensionOf(file.name)}</span>
        </span>
      ) : (
        <canvas
          ref={canvas}
          width={picture.width}
          height={picture.height}
          style={fills ? { width: '100%', height: '100%' } : { width: SIZE, height: SIZE }}
        />
      )}
    </span>
  )
}
