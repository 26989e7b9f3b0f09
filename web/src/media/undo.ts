import { renameMedia } from '#contract/media.ts'
import { restoreFiles } from '#contract/trash.ts'
import { call } from '../kit/api.ts'
import { type UndoStep, undoStep, undoStepsFor } from '../kit/undo.ts'
import type { NamedFile } from './viewed-file.ts'

/** Brings deleted files back. */
export function restoreSteps(ids: readonly number[]): UndoStep[] {
  return undoStepsFor(ids, async fileIds => (await call(restoreFiles, { body: { fileIds } })).restored)
}

/** Gives a file its old name back, unless somebody has renamed it since. */
export function undoRename({ id, original_name }: NamedFile) {
  return (renamed: NamedFile): UndoStep[] => {
    const body = { newName: original_name, expected: renamed.original_name }
    return [undoStep(() => call(renameMedia, { params: { id }, body }))]
  }
}
