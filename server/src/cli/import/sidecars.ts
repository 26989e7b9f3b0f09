import { asName } from '#contract/common.ts'
import { comments, imports, lengths } from '#contract/limits.ts'
import { comparable, stemOf } from '#contract/motion-photos.ts'
import { NoteContent } from '#contract/notes.ts'
import { TagName } from '#contract/tags.ts'
import { addComment, listComments } from '../../comments/comments.ts'
import { mediaSubject } from '../../comments/subjects.ts'
import type { AppContext } from '../../context.ts'
import { captionOf, storeFoundCaption } from '../../media/captions.ts'
import type { ExtractedMetadata } from '../../processing/metadata.ts'
import { addTag } from '../../tags/tags.ts'

const SIDECAR = /\.xmp$/i

/** The sidecar of each file in one folder, by name: photo.jpg.xmp, else photo.xmp. */
export function sidecarsByFile(names: readonly string[]): Map<string, string> {
  const sidecars = new Map(names.filter(name => SIDECAR.test(name)).map(name => [comparable(name), name]))
  const found = new Map<string, string>()
  for (const name of names) {
    if (SIDECAR.test(name)) continue
    const sidecar = sidecars.get(`${comparable(name)}.xmp`) ?? sidecars.get(`${stemOf(name)}.xmp`)
    if (sidecar !== undefined) found.set(name, sidecar)
  }
  return found
}

/**
 * Adds a sidecar's keywords as tags, and its description as the caption. A description of several lines is a note too.
 * Invalid ones are skipped.
 */
export async function addFromSidecar(
  deps: AppContext & { uploaderId: number },
  mediaId: number,
  { keywords, description: described, title, notes }: ExtractedMetadata,
): Promise<void> {
  for (const keyword of keywords.slice(0, imports.sidecarTags)) {
    const name = TagName.safeParse(keyword)
    if (name.success) await addTag(deps, deps.uploaderId, mediaId, name.data)
  }
  const description = described ?? title
  const caption = captionOf(description)
  if (caption !== null) await storeFoundCaption(deps, mediaId, caption)
  // Also one line that is too long for a caption.
  if (description !== null && asName(description) !== caption) await addNote(deps, mediaId, description)
  if (notes !== null) await addNote(deps, mediaId, notes)
}

async function addNote(deps: AppContext & { uploaderId: number }, mediaId: number, content: string): Promise<void> {
  const note = NoteContent.safeParse([...content].slice(0, lengths.note).join(''))
  if (!note.success) return
  // A file that existed before, or was in the trash, may already have this note.
  const notes = await listComments(deps.db.query, mediaSubject, mediaId, { limit: comments.page })
  if (notes.some(({ content }) => content === note.data)) return
  await addComment(deps, mediaSubject, { authorId: deps.uploaderId, subjectId: mediaId, content: note.data })
}
