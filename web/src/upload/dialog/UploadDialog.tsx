import '../upload.css'
import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { countItems } from '../queue/counts.ts'
import type { QueueState, UploadQueue } from '../queue/queue.ts'
import { texts } from '../texts.ts'
import { ChooseFiles, DropOverlay, useChoosing } from './choosing.tsx'
import { Footer } from './Footer.tsx'
import { Insights } from './Insights.tsx'
import { LeftBefore } from './LeftBefore.tsx'
import { Options } from './Options.tsx'
import { Overall } from './Overall.tsx'
import { Receipt } from './Receipt.tsx'
import { Rows } from './Rows.tsx'
import { Summary } from './Summary.tsx'

interface Props {
  queue: UploadQueue
  state: QueueState
  open: boolean
  onClose: () => void
}

/** Closing it only puts it out of sight: Cancel stops, and Done clears. */
export function UploadDialog({ queue, state, open, onClose }: Props) {
  const choose = useRef<HTMLButtonElement>(null)
  return (
    <BaseDialog.Root open={open} onOpenChange={opens => opens || onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim motion-calm transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="fixed inset-0 z-40 flex items-end justify-center sm:items-center sm:p-6">
          <BaseDialog.Popup
            initialFocus={choose}
            className="sheet relative flex max-h-[94svh] w-full flex-col overflow-hidden sm:max-h-full sm:max-w-3xl"
          >
            <Contents queue={queue} state={state} chooseButton={choose} onClose={onClose} />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

type ContentsProps = Omit<Props, 'open'> & { chooseButton: React.RefObject<HTMLButtonElement | null> }

function Contents({ queue, state, chooseButton, onClose }: ContentsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const choosing = useChoosing(queue)
  const counts = countItems(state.items)
  const chosen = counts.total > 0
  const finished = state.progress === null && chosen && counts.toUpload === 0
  const uploadable = state.progress === null && counts.toUpload > 0
  return (
    <div {...choosing.rootProps} className="upload-contents flex min-h-0 flex-1 flex-col">
      <input {...choosing.inputProps} />
      <Header uploading={state.progress !== null} />
      <div ref={scroller} className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto overscroll-contain p-5 sm:p-6">
        <LeftBefore queue={queue} state={state} onChooseAgain={choosing.open} />
        {state.progress && <Overall progress={state.progress} waiting={state.waiting} />}
        {finished && <Receipt items={state.items} />}
        <ChooseFiles choosing={choosing} compact={chosen} button={chooseButton} />
        {state.progress === null && !finished && <Options queue={queue} state={state} />}
        {chosen && <Summary counts={counts} />}
        {uploadable && <Insights items={state.items} />}
        {chosen && <Rows queue={queue} items={state.items} scroller={scroller} />}
      </div>
      <Footer queue={queue} state={state} counts={counts} onClose={onClose} />
      {choosing.dragging && <DropOverlay />}
    </div>
  )
}

function Header({ uploading }: { uploading: boolean }) {
  return (
    <header className="flex items-center justify-between gap-2 border-line border-b py-2 pr-2 pl-5 sm:pl-6">
      <BaseDialog.Title className="font-semibold text-lead">{texts.title}</BaseDialog.Title>
      <BaseDialog.Close
        render={
          <IconButton label={uploading ? texts.closeAndGoOn : texts.close}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        }
      />
    </header>
  )
}
