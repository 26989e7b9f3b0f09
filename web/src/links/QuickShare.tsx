import { Image as ImageIcon, Link2 } from 'lucide-react'
import { type ReactElement, useMemo } from 'react'
import { toast } from 'sonner'
import { toast as toastTimes } from '#contract/limits.ts'
import { type CreatedLink, quickLink } from '#contract/links.ts'
import type { MediaFile } from '#contract/media.ts'
import { useAction } from '../kit/action.ts'
import { copyText } from '../kit/clipboard.ts'
import { formatDate } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { sendByDevice } from '../kit/send-by-device.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { setLinkDialog } from './link-dialog-store.ts'
import { useEndLink } from './queries.ts'
import { copyOf } from './send-copy.ts'
import { texts } from './texts.ts'

interface Props {
  file: MediaFile
  renderTrigger: (props: { onClick?: () => void }) => ReactElement
}

/** Shares one photo: itself, where the device can send it, or by a link, which is sent or copied by one tap. */
export function QuickShare({ file, renderTrigger }: Props) {
  const share = useQuickShare()
  const mayShare = useCan('links.make')
  const sendLink = mayShare ? () => share(file.id) : null
  const copy = useMemo(() => copyOf(file), [file])
  if (copy === null) return sendLink && renderTrigger({ onClick: sendLink })
  const { photo, video, link } = texts.quick
  return (
    <Menu trigger={renderTrigger({})} onOpenChange={open => open && copy.prepare()}>
      <MenuItem icon={<ImageIcon aria-hidden="true" className="size-5" />} onClick={() => copy.send(sendLink)}>
        {file.file_type === 'video' ? video : photo}
      </MenuItem>
      {sendLink && (
        <MenuItem icon={<Link2 aria-hidden="true" className="size-5" />} onClick={sendLink}>
          {link}
        </MenuItem>
      )}
    </Menu>
  )
}

function useQuickShare() {
  const make = useAction(quickLink, { failure: texts.share.failure, changes: [{ kind: 'links' }] })
  const end = useEndLink()

  function say(message: string, link: CreatedLink) {
    toast.success(message, {
      description:
        link.expires_at === null ? texts.quick.endless : texts.quick.until({ date: formatDate(link.expires_at) }),
      duration: toastTimes.durationWithUndo,
      action: {
        label: texts.end,
        onClick: () => void end.run({ params: { id: link.id }, body: { ended: true } }),
      },
      cancel: { label: texts.quick.options, onClick: () => setLinkDialog({ link, shows: 'options' }) },
    })
  }

  return (fileId: number) => {
    // Not awaited before the clipboard is used: browsers allow that in the click alone.
    const made = new Promise<CreatedLink | null>(resolve => {
      void make.run({ body: { fileId } }, { whenDone: resolve }).then(worked => worked || resolve(null))
    })
    void ('share' in navigator ? send(made) : copy(made))
  }

  async function send(made: Promise<CreatedLink | null>) {
    const link = await made
    if (link === null) return
    try {
      if (await sendByDevice(link)) say(texts.quick.sent, link)
    } catch {
      // Too long ago that the person tapped: some browsers refuse then. The dialog has a button for it.
      setLinkDialog({ link, shows: 'address' })
    }
  }

  async function copy(made: Promise<CreatedLink | null>) {
    const url = made.then(link => link?.url ?? Promise.reject(new Error('There is no link to copy')))
    // A failure has been shown already.
    const copied = await copyText(url).catch(() => null)
    const link = await made
    if (link === null || copied === null) return
    if (copied) say(texts.quick.copied, link)
    else setLinkDialog({ link, shows: 'address' })
  }
}
