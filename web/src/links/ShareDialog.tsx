import { Send } from 'lucide-react'
import { useState } from 'react'
import { guestUploads, links as limits } from '#contract/limits.ts'
import type { CreatedLink } from '#contract/links.ts'
import { showFailure } from '../kit/action.ts'
import { Button } from '../ui/Button.tsx'
import { CopyField } from '../ui/CopyField.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import { TextField } from '../ui/TextField.tsx'
import { type ShownByLink, useEndLink, useMakeLink } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  /** Files, or an album: then guests see what it holds when they look. */
  fileIds?: readonly number[]
  album?: { id: number; title: string }
  /** An album that guests send files to, instead of seeing any. */
  inbox?: { id: number; title: string }
  onClose: () => void
}

/** Makes a link for people without an account. Open while it is mounted. */
export function ShareDialog({ fileIds = [], album, inbox, onClose }: Props) {
  const { who, title, titleOfAlbum, whoOfAlbum, titleOfInbox, whoOfInbox, done } = texts.share
  const [made, setMade] = useState<CreatedLink | null>(null)
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={
        made !== null
          ? done
          : inbox
            ? titleOfInbox(inbox.title)
            : album
              ? titleOfAlbum(album.title)
              : title(fileIds.length)
      }
    >
      {made === null ? (
        <LinkForm
          shown={inbox ? { inboxId: inbox.id } : album ? { albumId: album.id } : { fileIds }}
          initialTitle={(inbox ?? album)?.title ?? ''}
          onMade={setMade}
          onClose={onClose}
        >
          {inbox ? whoOfInbox : album ? whoOfAlbum : who}
        </LinkForm>
      ) : (
        <ReadyLink link={made} onClose={onClose} />
      )}
    </Dialog>
  )
}

type Expiry = keyof typeof texts.share.expiries

type Room = keyof typeof texts.share.rooms

const rooms = Object.entries(texts.share.rooms).map(([value, label]) => ({ value, label }))
const GIGABYTE = 1024 ** 3
const roomOf: Record<Room, { most_files: number; most_bytes: number }> = {
  small: { most_files: 100, most_bytes: 5 * GIGABYTE },
  usual: { most_files: guestUploads.files.usual, most_bytes: guestUploads.bytes.usual },
  large: { most_files: 5_000, most_bytes: 200 * GIGABYTE },
}

const expiries = Object.entries(texts.share.expiries).map(([value, label]) => ({ value, label }))

interface FormProps {
  shown: ShownByLink
  initialTitle: string
  onMade: (link: CreatedLink) => void
  onClose: () => void
  /** Who can see what. */
  children: string
}

function LinkForm({ shown, initialTitle, onMade, onClose, children }: FormProps) {
  const [title, setTitle] = useState(initialTitle.slice(0, limits.title))
  const [expiry, setExpiry] = useState<Expiry>('30')
  const [password, setPassword] = useState('')
  const [originals, setOriginals] = useState(false)
  const [room, setRoom] = useState<Room>('usual')
  const collects = 'inboxId' in shown
  const make = useMakeLink(onMade)
  const { shortest, longest } = limits.password
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={event => {
        event.preventDefault()
        const options = {
          ...(title.trim() === '' ? {} : { title }),
          ...(password === '' ? {} : { password }),
          days: expiry === 'never' ? null : Number(expiry),
        }
        void make.run(shown, { ...options, originals, ...roomOf[room] })
      }}
    >
      <p className="text-ink-soft">{children}</p>
      <TextField
        label={texts.share.name}
        placeholder={texts.share.namePlaceholder}
        value={title}
        maxLength={limits.title}
        onChange={setTitle}
      />
      <SelectField
        label={texts.share.expiry}
        value={expiry}
        choices={expiries}
        onChange={value => setExpiry(value as Expiry)}
      />
      <div className="flex flex-col gap-1.5">
        <TextField
          label={texts.share.password}
          value={password}
          minLength={shortest}
          maxLength={longest}
          autoComplete="off"
          onChange={setPassword}
        />
        <p className="text-fine text-ink-soft">{texts.share.passwordHint(shortest)}</p>
      </div>
      {collects ? (
        <SelectField label={texts.share.room} value={room} choices={rooms} onChange={value => setRoom(value as Room)} />
      ) : (
        <label className="flex min-h-touch w-full items-start gap-3">
          <input
            type="checkbox"
            checked={originals}
            onChange={event => setOriginals(event.target.checked)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span>
            <span className="block">{texts.share.originals}</span>
            <span className="block text-fine text-ink-soft">{texts.share.originalsHint}</span>
          </span>
        </label>
      )}
      <DialogButtons>
        <Button onClick={onClose}>{texts.share.cancel}</Button>
        <Button variant="primary" type="submit" busy={make.busy}>
          {texts.share.make}
        </Button>
      </DialogButtons>
    </form>
  )
}

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
