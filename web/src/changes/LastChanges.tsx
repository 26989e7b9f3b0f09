import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type LastChange, lastChanges, undoChange } from '#contract/changes.ts'
import { changes as limits } from '#contract/limits.ts'
import { useAction } from '../kit/action.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { query } from '../kit/queries.ts'
import { forgetUndo, type UndoEntry, undoEntry, useUndoHistory } from '../kit/undo-history.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'
import { setLastChangesOpen, useLastChangesOpen } from './dialog-store.ts'
import { texts } from './texts.ts'

/** What this person has done last and can undo: here on this page, and what the server remembers. */
export function LastChanges() {
  const open = useLastChangesOpen()
  return (
    <Dialog open={open} onOpenChange={setLastChangesOpen} title={texts.title}>
      <Content />
      <DialogButtons>
        <Button onClick={() => setLastChangesOpen(false)}>{texts.close}</Button>
      </DialogButtons>
    </Dialog>
  )
}

interface Row {
  key: string
  what: string
  at: number
  undo: () => void
}

function Content() {
  const mayEdit = useCan('media.edit')
  const here = useUndoHistory()
  const recorded = useQuery({ ...query(lastChanges, {}), enabled: mayEdit, staleTime: 0 })
  const undo = useUndoRecorded()
  const kept = useKeepFocus<HTMLUListElement>()
  if (mayEdit && recorded.data === undefined) return <LoadingOrError query={recorded} texts={texts} />
  const rows = rowsOf(here, recorded.data ?? [], undo.run)
  return (
    <>
      {rows.length === 0 ? (
        <p className="text-ink-soft">{texts.empty}</p>
      ) : (
        <ul {...kept} aria-label={texts.title} className="divide-y divide-line focus-visible:outline-none">
          {rows.map(({ key, what, at, undo: undoRow }) => (
            <li key={key} className="flex items-center justify-between gap-3 py-2">
              <span className="min-w-0">
                <span className="wrap-anywhere block">{what}</span>
                <span className="block text-fine text-ink-soft">{formatDateAndTime(new Date(at).toISOString())}</span>
              </span>
              <Button variant="bare" disabled={undo.busy} aria-label={texts.undoOf({ what })} onClick={undoRow}>
                {texts.undo}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {mayEdit && (
        <Link
          to="/recently-deleted"
          onClick={() => setLastChangesOpen(false)}
          className="inline-flex min-h-touch items-center text-accent text-small underline underline-offset-4"
        >
          {texts.deleted}
        </Link>
      )}
    </>
  )
}

function useUndoRecorded() {
  const { run, busy } = useAction(undoChange, {
    success: texts.undone,
    failure: texts.undoFailed,
    changes: [
      { kind: 'media', ids: [] },
      { kind: 'tags', media_id: null },
    ],
  })
  async function undo(id: number): Promise<void> {
    if (await run({ params: { id } })) forgetUndo(({ changeId }) => changeId === id)
  }
  return { run: (id: number) => void undo(id), busy }
}

/** What this page has done itself is named as its message named it. */
function rowsOf(here: readonly UndoEntry[], recorded: readonly LastChange[], undo: (id: number) => void): Row[] {
  const known = new Set(here.map(({ changeId }) => changeId))
  const rows = [
    ...here
      .filter(({ undoing }) => !undoing)
      .map(({ id, what, at }) => ({ key: `here ${id}`, what, at, undo: () => void undoEntry(id) })),
    ...recorded
      .filter(({ id }) => !known.has(id))
      .map(change => ({
        key: `change ${change.id}`,
        what: inWords(change),
        at: Date.parse(change.at),
        undo: () => undo(change.id),
      })),
  ]
  return rows.toSorted((a, b) => b.at - a.at).slice(0, limits.shown)
}

function inWords({ kind, tag = '', files, name }: LastChange): string {
  const counted = files > limits.countedFiles ? texts.manyFiles : texts.files({ files })
  const subject = name ?? counted
  switch (kind) {
    case 'media.date':
      return texts.what.date({ subject })
    case 'media.place':
      return texts.what.place({ subject })
    case 'media.move':
      return texts.what.move({ subject })
    case 'media.rotate':
      return texts.what.rotate({ subject })
    case 'media.tag':
      return texts.what.tag({ subject, tag })
    case 'media.caption':
      return texts.what.caption({ subject })
    case 'media.untag':
      return texts.what.untag({ subject, tag })
    default:
      return texts.what.other({ subject })
  }
}
