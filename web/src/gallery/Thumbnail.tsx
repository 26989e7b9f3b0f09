import { useQueryClient } from '@tanstack/react-query'
import { ImageOff, VideoOff } from 'lucide-react'
import { useRef, useState } from 'react'
import { getMedia, type MediaFile } from '#contract/media.ts'
import { query } from '../kit/queries.ts'
import { blurredPicture } from '../kit/thumbhash.ts'
import { pictureFor } from './picture.ts'
import { useSeen } from './seen.ts'
import { texts } from './texts.ts'

interface Props {
  file: MediaFile
  /** The side of the square it fills, in CSS pixels. */
  side: number
}

/** What is shown: the thumbnail; after an error the same from a fresh address; then the full file; then nothing. */
type Stage = 'thumbnail' | 'refreshed' | 'full' | 'none'

/** A file's picture on a square, blurred until it has come. Fills a positioned element. */
export function Thumbnail({ file, side }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const seen = useSeen(holder)
  const { src, stage, onError } = usePicture(file, side)
  const blurred = file.thumbhash === null ? undefined : blurredPicture(file.thumbhash)
  return (
    <div
      ref={holder}
      className="photo absolute inset-0 overflow-hidden rounded-card bg-center bg-cover bg-sunken"
      style={blurred === undefined ? undefined : { backgroundImage: `url(${blurred})` }}
    >
      {src === undefined ? (
        file.status === 'ready' && <NoPreview file={file} />
      ) : (
        <img
          // Also from the same address it is loaded anew.
          key={`${stage} ${src}`}
          src={seen ? src : undefined}
          alt=""
          draggable={false}
          decoding="async"
          onLoad={event => event.currentTarget.setAttribute('data-loaded', '')}
          onError={onError}
          className="size-full object-cover opacity-0 motion-quick transition-opacity data-loaded:opacity-100"
        />
      )}
    </div>
  )
}

function usePicture(file: MediaFile, side: number) {
  const client = useQueryClient()
  const [stage, setStage] = useState<Stage>('thumbnail')
  const [fresh, setFresh] = useState<MediaFile | null>(null)

  // Signed addresses run out while a page stays open, so the file is fetched anew once.
  async function refresh() {
    try {
      setFresh(await client.fetchQuery({ ...query(getMedia, { params: { id: file.id } }), staleTime: 0 }))
      setStage('refreshed')
    } catch {
      // Whatever keeps the file away, the address of its full picture may still hold.
      setStage('full')
    }
  }

  function onError() {
    if (stage === 'thumbnail') void refresh()
    else setStage(stage === 'refreshed' && file.file_type === 'image' ? 'full' : 'none')
  }
  return { src: addressAt(stage, fresh ?? file, side), stage, onError }
}

function addressAt(stage: Stage, file: MediaFile, side: number): string | undefined {
  const fullFile = file.file_type === 'image' ? (file.url ?? undefined) : undefined
  if (stage === 'none') return undefined
  if (stage === 'full') return fullFile
  return pictureFor(file, side * window.devicePixelRatio) ?? (file.status === 'ready' ? fullFile : undefined)
}

function NoPreview({ file }: { file: MediaFile }) {
  const Icon = file.file_type === 'video' ? VideoOff : ImageOff
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 bg-sunken p-2 text-center text-ink-soft text-small">
      <Icon aria-hidden="true" className="size-8" />
      {texts.noPreview}
    </span>
  )
}
