import { type ReactNode, useState, useTransition } from 'react'
import { useSession } from '../auth/SessionProvider.tsx'
import { clearDrafts, hasDrafts } from '../chat/drafts.ts'
import { waitingCalls } from '../kit/outbox/page-outbox.ts'
import { texts as outboxTexts } from '../kit/outbox/texts.ts'
import { clearNoteDrafts } from '../notes/drafts.ts'
import { useEver } from '../ui/hooks.ts'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'
import { texts } from './texts.ts'
import { useUploadDialog } from './upload-dialog-store.ts'

const ConfirmDialog = prefetchedDialog(async () => (await import('../ui/ConfirmDialog.tsx')).ConfirmDialog)

/** What would be lost, in words. */
interface Unsent {
  title: string
  text: string
}

/** Signs out; asks first if something would not be sent. `question` has to be rendered. */
export function useSignOut(): { signOut: () => void; leaving: boolean; question: ReactNode } {
  const session = useSession()
  const [leaving, startLeaving] = useTransition()
  const [asking, setAsking] = useState(false)
  const [unsent, setUnsent] = useState<Unsent>({ title: '', text: '' })
  const { uploading, chosen } = useUploadDialog()
  const everAsked = useEver(asking)

  function leave() {
    setAsking(false)
    startLeaving(async () => {
      clearDrafts()
      clearNoteDrafts()
      await session.signOut()
    })
  }
  function signOut() {
    const { uploads, files, waiting, drafts } = texts.logOutUnsent
    const count = waitingCalls().length
    const lost = [
      ...(uploading ? [uploads] : chosen > 0 ? [{ title: files.title, text: files.text({ count: chosen }) }] : []),
      ...(count > 0 ? [{ title: waiting.title, text: outboxTexts.leaving({ count }) }] : []),
      ...(hasDrafts() ? [drafts] : []),
    ]
    if (lost[0] === undefined) return leave()
    setUnsent({ title: lost[0].title, text: lost.map(({ text }) => text).join(' ') })
    setAsking(true)
  }
  const question = everAsked && (
    <ConfirmDialog
      open={asking}
      onOpenChange={setAsking}
      title={unsent.title}
      text={unsent.text}
      confirmLabel={texts.logOut}
      cancelLabel={texts.logOutUnsent.cancel}
      onConfirm={leave}
    />
  )
  return { signOut, leaving, question }
}
