import { changeDates, undoDates } from '#contract/dates.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { texts } from './texts.ts'

/** Changes the dates of files; the toast offers to undo all of it in one step. */
export function useChangeDates() {
  return useAction(changeDates, {
    success: ({ fileIds, skipped }) => texts.success(fileIds.length, skipped),
    failure: texts.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
    undo: ({ fileIds, changed_at }) => {
      if (fileIds.length === 0) return []
      const run = async () => (await call(undoDates, { body: { fileIds, changed_at } })).restored
      return [{ size: fileIds.length, run }]
    },
  })
}

/** Without toasts, for a page that says itself what was done. */
export function useQuietChange() {
  const change = useAction(changeDates, {
    failure: texts.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds }],
  })
  const undo = useAction(undoDates, {
    failure: texts.failure,
    changes: ({ body }) => [{ kind: 'media', ids: body.fileIds ?? [] }],
  })
  return { change, undo }
}
