import { Copy, Link2, QrCode } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { toast } from 'sonner'
import { type Link, showLink } from '#contract/links.ts'
import { showFailure } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { copyText } from '../kit/clipboard.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { useCopyLink, useShowLink } from './queries.ts'
import { ReadyLink } from './ReadyLink.tsx'
import { texts } from './texts.ts'

interface ButtonsProps {
  link: Link
  title: string
  onShow: (how: 'link' | 'qr') => void
}

const icon = 'size-5'

/** Copies the address of an existing link, or opens it in a dialog. */
export function AddressButtons({ link, title, onShow }: ButtonsProps) {
  const show = useShowLink()
  const params = { id: link.id }
  const showButton = (
    <Button
      icon={<Link2 aria-hidden="true" className={icon} />}
      aria-haspopup="dialog"
      aria-label={texts.show.labelOf({ title })}
      onClick={() => onShow('link')}
    >
      {texts.show.label}
    </Button>
  )
  if (link.address !== 'stored') return showButton

  async function copy() {
    const url = new Promise<string>((resolve, reject) => {
      const whenDone = (answer: { url: string }) => resolve(answer.url)
      void show.run({ params }, { whenDone }).then(worked => worked || reject(new Error('The address is not known')))
    })
    // A failure has been shown already.
    const copied = await copyText(url).catch(() => null)
    if (copied) toast.success(texts.quick.copied)
    else if (copied === false) onShow('link')
  }
  return (
    <>
      <Button
        variant="soft"
        icon={<Copy aria-hidden="true" className={icon} />}
        busy={show.busy}
        aria-label={texts.show.copyOf({ title })}
        onClick={() => void copy()}
      >
        {texts.show.copy}
      </Button>
      {showButton}
      <Button
        icon={<QrCode aria-hidden="true" className={icon} />}
        aria-haspopup="dialog"
        aria-label={texts.show.qrOf({ title })}
        onClick={() => onShow('qr')}
      >
        {texts.show.qr}
      </Button>
    </>
  )
}

interface DialogProps {
  link: Link
  initialQr: boolean
  onClose: () => void
}

/** Asks the server for the address, which is a secret that no list has. */
export function AddressDialog({ link, initialQr, onClose }: DialogProps) {
  const [url, setUrl] = useState<string | null>(null)
  const [copy, setCopy] = useState<(Link & { url: string }) | null>(null)
  const load = useEffectEvent(async (closed: AbortSignal) => {
    if (link.address !== 'stored') return
    try {
      const answer = await call(showLink, { params: { id: link.id } }, closed)
      setUrl(answer.url)
    } catch (error) {
      if (closed.aborted) return
      showFailure(texts.show.failure, error)
      onClose()
    }
  })
  useEffect(() => {
    const closed = new AbortController()
    void load(closed.signal)
    return () => closed.abort()
  }, [])
  const ready = copy ?? (url === null ? null : { ...link, url })
  return (
    <Dialog open onOpenChange={open => open || onClose()} title={copy ? texts.share.done : texts.show.title}>
      {ready !== null ? (
        <ReadyLink link={ready} initialQr={initialQr} onClose={onClose} />
      ) : link.address === 'stored' ? (
        <Spinner />
      ) : (
        <NotStored link={link} onMade={setCopy} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface NotStoredProps {
  link: Link
  onMade: (link: Link & { url: string }) => void
  onClose: () => void
}

/** The link still works, and only its maker has the address, in a message that was sent. */
function NotStored({ link, onMade, onClose }: NotStoredProps) {
  const copy = useCopyLink(onMade)
  return (
    <>
      <p>{link.address === 'other_key' ? texts.show.otherKey : texts.show.notStored}</p>
      {!link.album_deleted && <p className="text-ink-soft">{texts.show.offer}</p>}
      <DialogButtons>
        <Button onClick={onClose}>{texts.share.cancel}</Button>
        {!link.album_deleted && (
          <Button variant="primary" busy={copy.busy} onClick={() => void copy.run({ params: { id: link.id } })}>
            {texts.show.makeNew}
          </Button>
        )}
      </DialogButtons>
    </>
  )
}
