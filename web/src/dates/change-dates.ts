import { undoChange } from '#contract/changes.ts'
import { changeDates } from '#contract/dates.ts'
import { useAction } from '../kit/action.ts'
import { partsOfChange } from '../kit/parts.ts'
import { undoOfChange } from '../kit/undo.ts'
import { texts } from './texts.ts'

/** Changes the dates of files; the toast offers to undo all of it in one step. */
export function useChangeDates() {
  return useAction(changeDates, {
    success: ({ changed, skipped }) =>
      [texts.success({ count: changed }), skipped > 0 && texts.skipped({ count: skipped })].filter(Boolean).join(' '),
    failure: texts.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
    undo: undoOfChange,
    parts: partsOfChange((a, b) => ({ skipped: a.skipped + b.skipped })),
  })
}

/** Without toasts, for a page that says itself what was done. */
export function useQuietChange() {
  const change = useAction(changeDates, {
    failure: texts.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
  })
  const undo = useAction(undoChange, { failure: texts.failure, changes: [{ kind: 'media', ids: [] }] })
  return { change, undo }
}
