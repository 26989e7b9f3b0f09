import { type ReactElement, type SyntheticEvent, useState } from 'react'
import type { SharedFile } from '#contract/chat.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { texts } from '../texts.ts'
import { ShareForm } from './ShareForm.tsx'

interface Props {
  file: SharedFile
  /** What opens it. */
  renderTrigger: (open: () => void) => ReactElement
}

/** Sends a photo or video that is looked at into a conversation. */
export function SendToChat({ file, renderTrigger }: Props) {
  // Held, because the viewer behind it may turn to another.
  const [shared, setShared] = useState(file)
  const [open, setOpen] = useState(false)

  function share() {
    setShared(file)
    setOpen(true)
  }
  return (
    <>
      {renderTrigger(share)}
      <Dialog open={open} onOpenChange={setOpen} title={texts.share.title}>
        <div {...keptInside} className="contents">
          <ShareForm file={shared} onDone={() => setOpen(false)} />
        </div>
      </Dialog>
    </>
  )
}

/** What is pressed in it is no business of the viewer that it was opened from. */
const stop = (event: SyntheticEvent) => event.stopPropagation()
const keptInside = { onClick: stop, onKeyDown: stop }
