import { z } from 'zod'
import type { ActivityLine } from '#contract/admin.ts'

/** What the lines of a note have in `before`. */
const NoteLine = z.object({ note_id: z.number() })

/** The ids of deleted notes, by the line of their last deletion: a newer line may have restored them. */
export function deletedNotes(newestFirst: readonly Pick<ActivityLine, 'id' | 'act' | 'before'>[]): Map<number, number> {
  const seen = new Set<number>()
  const deleted = new Map<number, number>()
  for (const { id, act, before } of newestFirst) {
    const noteId = NoteLine.safeParse(before).data?.note_id
    if (noteId === undefined || seen.has(noteId)) continue
    seen.add(noteId)
    if (act === 'note.delete') deleted.set(id, noteId)
  }
  return deleted
}
