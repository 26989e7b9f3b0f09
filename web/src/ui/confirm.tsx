import { useEffect, useState, useSyncExternalStore } from 'react'
import { prefetchedDialog } from './prefetched-lazy.ts'

const ConfirmDialog = prefetchedDialog(async () => (await import('./ConfirmDialog.tsx')).ConfirmDialog)

interface Question {
  /** Short: what is about to be done. */
  title: string
  text: string
  /** Of the button that does it. */
  label: string
  /** Whether nothing is lost by it. */
  harmless?: boolean
}

interface OpenQuestion extends Question {
  answer: (confirmed: boolean) => void
}

let current: OpenQuestion | null = null
const watchers = new Set<() => void>()

function show(question: OpenQuestion | null): void {
  current = question
  for (const watcher of watchers) watcher()
}

/** Asks in a dialog, from anywhere. Resolves to whether the person confirmed. */
export function confirmInDialog(question: Question): Promise<boolean> {
  current?.answer(false)
  return new Promise(resolve =>
    show({
      ...question,
      answer: confirmed => {
        show(null)
        resolve(confirmed)
      },
    }),
  )
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Renders the dialog of `confirmInDialog`, once for the whole app. */
export function ConfirmHost({ cancelLabel }: { cancelLabel: string }) {
  const question = useSyncExternalStore(subscribe, () => current)
  // Its texts stay while the dialog fades out.
  const [shown, setShown] = useState<OpenQuestion | null>(null)
  if (question !== null && question !== shown) setShown(question)
  useCancelOnEscape(question)
  if (shown === null) return null
  return (
    <ConfirmDialog
      open={question !== null}
      onOpenChange={open => open || question?.answer(false)}
      title={shown.title}
      text={shown.text}
      confirmLabel={shown.label}
      cancelLabel={cancelLabel}
      harmless={shown.harmless}
      onConfirm={() => question?.answer(true)}
    />
  )
}

/** Before any other listener: a viewer or dialog below must not close by the same key. */
function useCancelOnEscape(question: OpenQuestion | null): void {
  useEffect(() => {
    if (question === null) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopImmediatePropagation()
      question.answer(false)
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
  }, [question])
}
