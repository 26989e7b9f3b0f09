import { type ReactNode, useState, useTransition } from 'react'
import { useSession } from '../auth/SessionProvider.tsx'
import { clearDraftsAndOutbox, hasUnsentMessages } from '../chat/drafts.ts'
import { useEver } from '../ui/hooks.ts'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'
import { texts } from './texts.ts'
import { useUploadDialog } from './upload-dialog-store.ts'

const ConfirmDialog = prefetchedDialog(async () => (await import('../ui/ConfirmDialog.tsx')).ConfirmDialog)

type Unsent = 'uploads' | 'messages'

/** Signs out; asks first if something would not be sent. `question` has to be rendered. */
export function useSignOut(): { signOut: () => void; leaving: boolean; question: ReactNode } {
  const session = useSession()
  const [leaving, startLeaving] = useTransition()
  const [asking, setAsking] = useState(false)
  const [unsent, setUnsent] = useState<Unsent>('uploads')
  const { uploading } = useUploadDialog()
  const everAsked = useEver(asking)

  function leave() {
    setAsking(false)
    startLeaving(async () => {
      await session.signOut()
      clearDraftsAndOutbox()
    })
  }
  function signOut() {
    const messages = hasUnsentMessages()
    if (!uploading && !messages) return leave()
    setUnsent(uploading ? 'uploads' : 'messages')
    setAsking(true)
  }
  const { title, text } = texts.logOutUnsent[unsent]
  const question = everAsked && (
    <ConfirmDialog
      open={asking}
      onOpenChange={setAsking}
      title={title}
      text={unsent === 'uploads' && hasUnsentMessages() ? `${text} ${texts.logOutUnsent.messages.text}` : text}
      confirmLabel={texts.logOut}
      cancelLabel={texts.logOutUnsent.cancel}
      onConfirm={leave}
    />
  )
  return { signOut, leaving, question }
}
