import type { Answer } from '#contract/endpoint.ts'
import { renameMedia } from '#contract/media.ts'
import { restoreFiles } from '#contract/trash.ts'
import { call } from '../kit/api.ts'
import { type UndoStep, undoStep, undoStepsFor } from '../kit/undo.ts'
import type { NamedFile } from './viewed-file.ts'

/** Brings deleted files back, as one act. */
export function restoreSteps(ids: readonly number[]): UndoStep[] {
  let continues: number | null = null
  return undoStepsFor(ids, async fileIds => {
    const answer: Answer<typeof restoreFiles> = await call(restoreFiles, { body: { fileIds, continues } })
    continues = answer.change_id
    return answer.restored
  })
}

/** Gives a file its old name back, unless somebody has renamed it since. */
export function undoRename({ id, original_name }: NamedFile) {
  return (renamed: NamedFile): UndoStep[] => {
    const body = { newName: original_name, expected: renamed.original_name }
    return [undoStep(() => call(renameMedia, { params: { id }, body }))]
  }
}
