import { Dialog as BaseDialog } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Share2, X } from 'lucide-react'
import { useRef } from 'react'
import { foldersQuery } from '../../kit/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseOnBack } from '../../ui/CloseOnBack.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { timeLeftText, toPercent } from '../item-text.ts'
import { ProgressBar } from '../ProgressBar.tsx'
import { texts } from '../texts.ts'
import { type IncomingFiles, isRetryable } from '../upload-items.ts'
import { type Counts, countItems, type Progress } from '../upload-progress.ts'
import type { QueueState, UploadQueue } from '../upload-queue.ts'
import { ChooseFiles, DropOverlay, useFileChooser } from './FileChooser.tsx'
import { Receipt } from './Receipt.tsx'
import { UnfinishedUploads } from './UnfinishedUploads.tsx'
import { Insights, Summary, UploadDetails } from './UploadDetails.tsx'
import { DestinationField, ProcessingRadio } from './UploadOptionsForm.tsx'
import { UploadRows } from './UploadRows.tsx'

import '../upload.css'

/** What the share menu of the device handed over. */
export type Share = Pick<IncomingFiles, 'leftOut'>

interface Props {
  queue: UploadQueue
  state: QueueState
  share: Share | null
  open: boolean
  onClose: () => void
}

/** Closing the dialog only hides it: Cancel aborts the upload, and Done clears the list. */
export function UploadDialog({ queue, state, share, open, onClose }: Props) {
  const choose = useRef<HTMLButtonElement>(null)
  return (
    <BaseDialog.Root open={open} onOpenChange={opens => opens || onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-scrim motion-calm transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="fixed inset-x-0 top-0 bottom-(--keyboard) z-40 flex items-end justify-center sm:items-center sm:p-6">
          <BaseDialog.Popup
            initialFocus={choose}
            className="sheet relative flex max-h-[min(92svh,100%)] w-full flex-col overflow-hidden sm:max-h-full sm:max-w-3xl"
          >
            <CloseOnBack onBack={onClose} />
            <Contents queue={queue} state={state} share={share} chooseButton={choose} onClose={onClose} />
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}

type ContentsProps = Omit<Props, 'open'> & { chooseButton: React.RefObject<HTMLButtonElement | null> }

function Contents({ queue, state, share, chooseButton, onClose }: ContentsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const choosing = useFileChooser(queue)
  const counts = countItems(state.items)
  const chosen = counts.total > 0
  const finished = state.progress === null && chosen && counts.toUpload === 0
  const changeable = state.progress === null && !finished
  const uploadable = state.progress === null && counts.toUpload > 0
  return (
    <div {...choosing.rootProps} className="upload-contents flex min-h-0 flex-1 flex-col">
      <input {...choosing.inputProps} />
      <Header uploading={state.progress !== null} />
      <div ref={scroller} className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto overscroll-contain p-5 sm:p-6">
        {share && changeable && <ShareNote {...share} />}
        <UnfinishedUploads queue={queue} state={state} onChooseAgain={choosing.open} />
        {state.progress && <OverallProgress state={state} progress={state.progress} />}
        {finished && <Receipt items={state.items} />}
        <div className={chosen ? 'flex flex-wrap items-end gap-x-4 gap-y-3' : 'flex flex-col gap-5'}>
          <ChooseFiles choosing={choosing} compact={chosen} button={chooseButton} />
          {changeable && <DestinationField queue={queue} state={state} />}
        </div>
        {chosen && <Summary counts={counts} />}
        {(chosen || changeable) && (
          <UploadDetails>
            {changeable && <ProcessingRadio queue={queue} value={state.options.processing} />}
            {uploadable && <Insights items={state.items} />}
          </UploadDetails>
        )}
        {chosen && <UploadRows queue={queue} items={state.items} scroller={scroller} />}
      </div>
      <Footer queue={queue} state={state} counts={counts} onClose={onClose} />
      {choosing.dragging && <DropOverlay />}
    </div>
  )
}

function ShareNote({ leftOut }: Share) {
  return (
    <div role="status" className="flex gap-3 rounded-card border border-accent bg-accent-wash p-4">
      <Share2 aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
      <div className="min-w-0">
        <p className="font-semibold">{texts.share.title}</p>
        <p className="text-small">{texts.share.text}</p>
        {leftOut > 0 && <p className="text-small text-warn">{texts.share.leftOut({ count: leftOut })}</p>}
      </div>
    </div>
  )
}

function Header({ uploading }: { uploading: boolean }) {
  return (
    <header className="flex items-center justify-between gap-2 border-line border-b py-2 pr-2 pl-5 sm:pl-6">
      <BaseDialog.Title className="font-semibold text-lead">{texts.title}</BaseDialog.Title>
      <BaseDialog.Close
        render={
          <IconButton label={uploading ? texts.closeAndContinue : texts.close}>
            <X aria-hidden="true" className="size-5" />
          </IconButton>
        }
      />
    </header>
  )
}

/** Where the files go and how far they are. The footer counts them. */
function OverallProgress({ state, progress }: { state: QueueState; progress: Progress }) {
  const { destinations, offline } = state
  const folders = useQuery(foldersQuery).data
  const paths = destinations.map(id => folders?.find(folder => folder.id === id)?.path ?? null)
  const { done } = progress
  return (
    <section aria-label={texts.overall.label} className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="wrap-anywhere font-semibold text-lead" dir="auto">
          {whereTo(paths)}
        </span>
        <span className="text-ink-soft">{offline ? texts.waiting : timeLeftText(progress)}</span>
        <span className="font-semibold">{texts.overall.percent({ percent: toPercent(done) })}</span>
      </p>
      <ProgressBar label={texts.overall.label} done={done} size="thick" />
    </section>
  )
}

/** By the paths of the destinations; null is none. */
function whereTo(paths: readonly (string | null)[]): string {
  const [path] = paths
  if (paths.length > 1) return texts.overall.toPlaces({ count: paths.length })
  return path ? texts.overall.toFolder({ path }) : texts.overall.toLibrary
}

/** Screen readers announce every fifth of the progress; more would be disruptive. */
const ANNOUNCED_STEPS = 5

/**
 * Also tells when all chosen files are checked, and when all are uploaded. In other words than on the screen, so that
 * nothing is read twice.
 */
function ProgressAnnouncer({ state, counts }: { state: QueueState; counts: Counts }) {
  return (
    <p role="status" className="sr-only">
      {announcement(state, counts)}
    </p>
  )
}

function announcement({ progress, offline, items }: QueueState, counts: Counts): string {
  if (offline) return texts.waiting
  if (progress) return announcementOf(progress)
  const isChecking = counts.busy > 0 || items.some(item => item.status === 'pending' && !item.inspected)
  if (counts.total === 0 || isChecking) return ''
  const { toUpload, duplicates } = counts
  return toUpload > 0 ? texts.overall.checked({ ready: toUpload, duplicates }) : texts.overall.finished(counts)
}

function announcementOf({ done, total }: Progress): string {
  const announced = Math.floor(done * ANNOUNCED_STEPS) / ANNOUNCED_STEPS
  return texts.overall.announce({ percent: toPercent(announced), total })
}

interface FooterProps {
  queue: UploadQueue
  state: QueueState
  counts: Counts
  onClose: () => void
}

function Footer({ queue, state, counts, onClose }: FooterProps) {
  const { progress, items } = state
  const uploading = progress !== null
  const finished = !uploading && counts.total > 0 && counts.toUpload === 0

  function cancelOrClose() {
    if (uploading) {
      queue.cancel()
      return
    }
    queue.clear()
    onClose()
  }
  return (
    <footer className="flex flex-col gap-3 border-line border-t px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:flex-row sm:items-center sm:px-6">
      {counts.total > 0 && <CountsText counts={counts} />}
      <ProgressAnnouncer state={state} counts={counts} />
      <div className="flex gap-3 *:flex-1 sm:ml-auto sm:*:flex-none">
        {items.some(isRetryable) && <Button onClick={() => queue.retry()}>{texts.retryAll}</Button>}
        <Button variant={finished ? 'primary' : 'quiet'} onClick={cancelOrClose}>
          {finished ? texts.footer.done : texts.footer.cancel}
        </Button>
        {!finished && counts.total > 0 && (
          <Button variant="primary" busy={uploading} onClick={() => queue.upload()}>
            {uploading ? texts.footer.uploading : texts.footer.upload({ count: counts.toUpload })}
          </Button>
        )}
      </div>
    </footer>
  )
}

function CountsText({ counts }: { counts: Counts }) {
  const [processed, ...rest] = countsText(counts)
  return (
    <div className="min-w-0 text-fine text-ink-soft">
      <p className="font-semibold text-ink text-small">{processed}</p>
      <p>{rest.join(' · ')}</p>
    </div>
  )
}

function countsText({ total, uploaded, failed, rejected, busy, duplicates, ready, toUpload }: Counts): string[] {
  const finished = toUpload === 0
  // Rejected files are never processed, and duplicates count as skipped only when the upload is finished.
  const processed = uploaded + failed + (finished ? duplicates : 0)
  const skipped = finished ? texts.footer.duplicatesSkipped : texts.footer.duplicatesToSkip
  return [
    texts.footer.processed({ done: processed, total: total - rejected }),
    busy > 0 ? texts.footer.processing({ count: busy }) : '',
    duplicates > 0 ? skipped({ count: duplicates }) : '',
    ready > 0 ? texts.footer.ready({ count: ready }) : '',
  ].filter(text => text !== '')
}
