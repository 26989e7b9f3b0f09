import { useState } from 'react'
import { guestUploads } from '#contract/limits.ts'
import type { CreatedLink } from '#contract/links.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { LinkForm } from './LinkForm.tsx'
import { useMakeLink } from './queries.ts'
import { ReadyLink } from './ReadyLink.tsx'
import { texts } from './texts.ts'

interface Props {
  /** Files, or an album: then guests see what it holds when they look. */
  fileIds?: readonly number[]
  album?: { id: number; title: string }
  /** An album that guests send files to, instead of seeing any. */
  uploadAlbum?: { id: number; title: string }
  onClose: () => void
}

/** Makes a link for people without an account. Open while it is mounted. */
export function ShareDialog({ fileIds = [], album, uploadAlbum, onClose }: Props) {
  const { who, title, titleOfAlbum, whoOfAlbum, titleOfUploadLink, whoOfUploadLink, done } = texts.share
  const [made, setMade] = useState<CreatedLink | null>(null)
  const make = useMakeLink(setMade)
  const [capacity, setCapacity] = useState<Capacity>('medium')
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={
        made !== null
          ? done
          : uploadAlbum
            ? titleOfUploadLink({ title: uploadAlbum.title })
            : album
              ? titleOfAlbum({ title: album.title })
              : title({ count: fileIds.length })
      }
    >
      {made === null ? (
        <LinkForm
          initialTitle={(uploadAlbum ?? album)?.title ?? ''}
          submit={texts.share.make}
          busy={make.busy}
          sendsOnly={uploadAlbum !== undefined}
          capacity={
            uploadAlbum && (
              <SelectField
                label={texts.share.capacity}
                value={capacity}
                choices={capacities}
                onChange={value => setCapacity(value as Capacity)}
              />
            )
          }
          onSubmit={({ title, password, days, originals, captions }) =>
            void make.run(
              uploadAlbum ? { uploadAlbumId: uploadAlbum.id } : album ? { albumId: album.id } : { fileIds },
              {
                ...(title === '' ? {} : { title }),
                ...(password === '' ? {} : { password }),
                days,
                originals,
                captions,
                ...limitsOf[capacity],
              },
            )
          }
          onClose={onClose}
        >
          {uploadAlbum ? whoOfUploadLink : album ? whoOfAlbum : who({ count: fileIds.length })}
        </LinkForm>
      ) : (
        <ReadyLink link={made} onClose={onClose} />
      )}
    </Dialog>
  )
}

type Capacity = 'small' | 'medium' | 'large'

const GIGABYTE = 1024 ** 3
const limitsOf: Record<Capacity, { max_files: number; max_bytes: number }> = {
  small: { max_files: 100, max_bytes: 5 * GIGABYTE },
  medium: { max_files: guestUploads.files.default, max_bytes: guestUploads.bytes.default },
  large: { max_files: 5_000, max_bytes: 200 * GIGABYTE },
}
const capacities = Object.entries(limitsOf).map(([value, { max_files, max_bytes }]) => ({
  value,
  label: texts.share.capacityChoice({ photos: max_files, gigabytes: max_bytes / GIGABYTE }),
}))
