import type { Tx } from '../db/schema.ts'
import { commentsByClientId, insertComment, markDeleted } from './comments.sql.ts'
import { type CommentDeps, changed } from './comments.ts'
import type { Subject } from './subjects.ts'

interface ImportedCommentToAdd {
  authorId: number
  /** Who imports it. */
  actorId: number
  subjectId: number
  content: string
  clientId: string
  /** When it was written. */
  at: number
}

/** Of an import: nobody is notified of what is years old. Idempotent by `clientId`. */
export async function addImportedComment(
  deps: CommentDeps,
  tx: Tx,
  subject: Subject,
  { authorId, actorId, subjectId, content, clientId, at }: ImportedCommentToAdd,
): Promise<void> {
  const row = { [subject.column]: subjectId, author_id: authorId, content, created_at: at, client_id: clientId }
  if ((await insertComment(tx, row)) === undefined) return
  await changed(deps, tx, subject, subjectId, { actorId, change: 'add' })
}

export async function removeImportedComments(
  deps: CommentDeps,
  tx: Tx,
  subject: Subject,
  { actorId, clientIds }: { actorId: number; clientIds: readonly string[] },
): Promise<void> {
  for (const comment of await commentsByClientId(tx, clientIds)) {
    const subjectId = comment[subject.column]
    if (subjectId === null) continue
    await markDeleted(tx, comment.id, { deleted_at: deps.clock(), deleted_by: actorId })
    await changed(deps, tx, subject, subjectId, { actorId, change: 'delete', comment })
  }
}
