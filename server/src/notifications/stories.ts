import type { NewNotification, Tx } from '../db/schema.ts'
import { newlyMentioned } from './mentioned.ts'
import { type NotifyDeps, notify } from './notify.ts'

export interface WrittenNote {
  actorId: number
  noteId: number
  content: string
  /** What the note said before it was edited; absent: it is new. */
  contentBefore?: string
  file: { id: number; uploaded_by: number }
}

/** Who is mentioned hears of it, and of a new note the person who uploaded the file. */
export async function notifyOfNote(deps: NotifyDeps, tx: Tx, note: WrittenNote): Promise<void> {
  const by = new Map<number, NewNotification['type']>()
  if (note.contentBefore === undefined) by.set(note.file.uploaded_by, 'comment')
  for (const id of await newlyMentioned(tx, note.content, note.contentBefore)) by.set(id, 'mention')
  const about = { subject: 'note' as const, media_id: note.file.id, note_id: note.noteId }
  await notify(deps, tx, { actorId: note.actorId, about, by })
}

export interface AddedTag {
  actorId: number
  tagId: number
  /** Only those that did not bear it yet. */
  files: readonly { id: number; uploaded_by: number }[]
}

/** Who uploaded the files hears of it: once, however many of theirs were tagged. */
export async function notifyOfTag(deps: NotifyDeps, tx: Tx, { actorId, tagId, files }: AddedTag): Promise<void> {
  for (const [uploader, [first, ...more]] of Map.groupBy(files, file => file.uploaded_by)) {
    if (!first) continue
    const about = { subject: 'tag' as const, tag_id: tagId, media_id: first.id, more_files: more.length }
    await notify(deps, tx, { actorId, about, by: new Map([[uploader, 'tag']]) })
  }
}
