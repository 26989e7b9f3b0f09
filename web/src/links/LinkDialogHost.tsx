import { Dialog } from '../ui/Dialog.tsx'
import { EditDialog } from './EditDialog.tsx'
import { setLinkDialog, useLinkDialog } from './link-dialog-store.ts'
import { ReadyLink } from './ReadyLink.tsx'
import { texts } from './texts.ts'

/** The dialogs that `setLinkDialog` opens, on every page. */
export function LinkDialogHost() {
  const dialog = useLinkDialog()
  const close = () => setLinkDialog(null)
  if (dialog === null) return null
  if (dialog.shows === 'options') return <EditDialog link={dialog.link} onClose={close} />
  return (
    <Dialog open onOpenChange={open => open || close()} title={texts.share.done}>
      <ReadyLink link={dialog.link} onClose={close} />
    </Dialog>
  )
}
