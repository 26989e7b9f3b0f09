import type { ReactElement } from 'react'
import { toast } from 'sonner'
import { toast as toastTimes } from '#contract/limits.ts'
import { type CreatedLink, quickLink } from '#contract/links.ts'
import { useAction } from '../kit/action.ts'
import { copyText } from '../kit/clipboard.ts'
import { formatDate } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { sendByDevice } from '../kit/send-by-device.ts'
import { setLinkDialog } from './link-dialog-store.ts'
import { useEndLink } from './queries.ts'
import { texts } from './texts.ts'

interface Props {
  fileId: number
  renderTrigger: (share: () => void) => ReactElement
}

/** Shares one photo by one tap: the menu of the device, or a copied link. */
export function QuickShare({ fileId, renderTrigger }: Props) {
  const share = useQuickShare()
  const mayShare = useCan('links.make')
  return mayShare ? renderTrigger(() => share(fileId)) : null
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
