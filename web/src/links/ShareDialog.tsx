import { Send } from 'lucide-react'
import { useState } from 'react'
import { guestUploads } from '#contract/limits.ts'
import type { CreatedLink } from '#contract/links.ts'
import { showFailure } from '../kit/action.ts'
import { Button } from '../ui/Button.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { LinkForm } from './LinkForm.tsx'
import { useEndLink, useMakeLink } from './queries.ts'
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
          onSubmit={({ title, password, days, originals }) =>
            void make.run(
              uploadAlbum ? { uploadAlbumId: uploadAlbum.id } : album ? { albumId: album.id } : { fileIds },
              {
                ...(title === '' ? {} : { title }),
                ...(password === '' ? {} : { password }),
                days,
                originals,
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

function ReadyLink({ link, onClose }: { link: CreatedLink; onClose: () => void }) {
  const end = useEndLink()

  async function send() {
    try {
      await navigator.share({ url: link.url, ...(link.title === null ? {} : { title: link.title }) })
    } catch (error) {
      // The person has closed the menu of the device.
      if (!(error instanceof DOMException && error.name === 'AbortError')) showFailure(texts.share.sendFailure, error)
    }
  }
  return (
    <>
      <CopyField
        label={texts.share.address}
        value={link.url}
        copyLabel={texts.share.copy}
        copiedLabel={texts.share.copied}
      />
      <p className="text-ink-soft">
        {texts.share.once} {link.has_password && texts.share.withPassword} {texts.share.manage}
      </p>
      <DialogButtons>
        <Button
          variant="dangerQuiet"
          busy={end.busy}
          onClick={() => void end.run({ params: { id: link.id }, body: { ended: true } }, { whenDone: onClose })}
        >
          {texts.end}
        </Button>
        {'share' in navigator && (
          <Button icon={<Send aria-hidden="true" className="size-5" />} onClick={() => void send()}>
            {texts.share.send}
          </Button>
        )}
        <Button variant="primary" onClick={onClose}>
          {texts.share.close}
        </Button>
      </DialogButtons>
    </>
  )
}
