import { z } from 'zod'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type {
  addTag as addTagEndpoint,
  Tag,
  tagFiles as tagFilesEndpoint,
  untagFiles as untagFilesEndpoint,
} from '#contract/tags.ts'
import { recordChange, type UndoKinds } from '../changes/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, TagRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { findActiveMedia, type LockedMedia, lockActiveMedia, noSuchFile } from '../media/public.ts'
import { type Notified, notifyOfTag } from '../notifications/public.ts'
import { deleteMediaTags, ensureTag, findTag, insertMediaTags, respellUnused, tagsOf } from './tags.sql.ts'

export interface TagDeps {
  db: Database
  clock: Clock
  notified?: Notified
}

export async function tagsOfFile(handle: Handle, mediaId: number): Promise<Tag[]> {
  if (!(await findActiveMedia(handle, mediaId))) throw noSuchFile()
  return tagsOf(handle, mediaId)
}

/** Idempotent: a tag that the file already has changes nothing and notifies nobody. */
export async function addTag(
  deps: TagDeps,
  actorId: number,
  mediaId: number,
  name: string,
): Promise<Answer<typeof addTagEndpoint>> {
  return deps.db.transaction(async tx => {
    const files = await lockActiveMedia(deps.db, tx, [mediaId])
    if (files.length === 0) throw noSuchFile()
    const { tag, changed, change_id } = await putTag(deps, tx, actorId, files, name)
    return { ...tag, added: changed > 0, change_id }
  })
}

/** Deleted files are skipped. */
export async function tagFiles(
  deps: TagDeps,
  actorId: number,
  { fileIds, tagName, continues }: ParsedInput<typeof tagFilesEndpoint>['body'],
): Promise<Answer<typeof tagFilesEndpoint>> {
  return deps.db.bulkTransaction(fileIds.length, async tx => {
    const files = await lockActiveMedia(deps.db, tx, fileIds)
    if (files.length === 0) return { tagged: 0, tagId: null, changed: 0, change_id: continues ?? null }
    const { tag, changed, change_id } = await putTag(deps, tx, actorId, files, tagName, continues)
    return { tagged: files.length, tagId: tag.id, changed, change_id }
  })
}

/** Files without the tag are skipped. */
export async function untagFiles(
  { db, clock }: TagDeps,
  actorId: number,
  { fileIds, tagId, continues }: ParsedInput<typeof untagFilesEndpoint>['body'],
): Promise<Answer<typeof untagFilesEndpoint>> {
  return db.bulkTransaction(fileIds.length, async tx => {
    const files = await lockActiveMedia(db, tx, fileIds)
    const tag = await findTag(tx, tagId)
    if (!tag) return { changed: 0, change_id: continues ?? null }
    const removed = new Map((await deleteMediaTags(tx, idsOf(files), tagId)).map(row => [row.media_id, row]))
    const untagged = files.flatMap(({ id, file_type }) => {
      const row = removed.get(id)
      return row ? [{ id, file_type, before: { added_at: row.added_at, added_by: row.added_by } }] : []
    })
    const change = { act: 'media.untag', ...tagChange(tag), actorId, at: clock(), continues } as const
    const change_id = await recordChange(tx, { ...change, files: untagged })
    await announceTags(db, tx, idsOf(untagged))
    return { changed: untagged.length, change_id }
  })
}

export async function removeTag(deps: TagDeps, actorId: number, mediaId: number, tagId: number): Promise<void> {
  if ((await untagFiles(deps, actorId, { fileIds: [mediaId], tagId })).changed > 0) return
  if (!(await findActiveMedia(deps.db.query, mediaId))) throw noSuchFile()
  throw new AppError('not_found', 'tags.notOnFile')
}

/** The caller has locked the files, so that concurrent tagging of one file is serialised. */
async function putTag(
  deps: TagDeps,
  tx: Tx,
  actorId: number,
  files: LockedMedia[],
  name: string,
  continues?: number | null,
): Promise<{ tag: Tag; changed: number; change_id: number | null }> {
  const { db, clock } = deps
  const { id, name: spelling } = await tagCalled(tx, name)
  const tag = { id, name: spelling }
  const at = clock()
  const added = idsOf(files).map(media_id => ({ media_id, added_at: at, added_by: actorId }))
  const tagged = new Set(await insertMediaTags(tx, id, added))
  const newlyTagged = files.filter(file => tagged.has(file.id))
  const change_id = await recordChange(tx, {
    ...{ act: 'media.tag', ...tagChange(tag), actorId, at, continues },
    files: newlyTagged.map(file => ({ id: file.id, file_type: file.file_type, before: {} })),
  })
  if (newlyTagged.length > 0) await notifyOfTag(deps, tx, { actorId, tagId: id, files: newlyTagged })
  await announceTags(db, tx, idsOf(newlyTagged))
  return { tag, changed: newlyTagged.length, change_id }
}

/** Adding and removing a tag replace each other. */
function tagChange(tag: Tag) {
  return { field: `tag:${tag.id}`, value: { tag_id: tag.id, tag: tag.name } }
}

const TagValue = z.object({ tag_id: z.number() })
const UntaggedBefore = z.object({ added_at: z.number(), added_by: z.number() })

/** Nobody is notified: the tag was there before. */
export function undoTags({ db }: Pick<TagDeps, 'db'>): UndoKinds {
  return {
    async 'media.tag'(tx, { fileIds, value, filesBefore }) {
      const befores = await filesBefore(idsOf(await lockActiveMedia(db, tx, fileIds)))
      const removed = await deleteMediaTags(tx, [...befores.keys()], TagValue.parse(value).tag_id)
      const restored = removed.map(row => row.media_id)
      await announceTags(db, tx, restored)
      return restored
    },
    async 'media.untag'(tx, { fileIds, value, filesBefore }) {
      const befores = await filesBefore(idsOf(await lockActiveMedia(db, tx, fileIds)))
      const rows = [...befores].map(([media_id, before]) => ({ media_id, ...UntaggedBefore.parse(before) }))
      const restored = await insertMediaTags(tx, TagValue.parse(value).tag_id, rows)
      await announceTags(db, tx, restored)
      return restored
    },
  }
}

async function tagCalled(tx: Tx, name: string): Promise<TagRow> {
  const tag = await ensureTag(tx, name, nameKey(name))
  return tag.name === name ? tag : ((await respellUnused(tx, tag.id, name)) ?? tag)
}

/** Tag names are unique regardless of case. Upper and then lower case, so that STRASSE equals Straße. */
function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase()
}

/** Above this number the event lists no ids. */
const MAX_LISTED_FILES = 20

async function announceTags(db: Database, tx: Tx, mediaIds: readonly number[]): Promise<void> {
  if (mediaIds.length === 0) return
  const listed = mediaIds.length > MAX_LISTED_FILES ? [null] : mediaIds
  for (const media_id of listed) await announce(db, tx, { kind: 'tags', media_id }, 'everyone')
}

function idsOf(files: readonly { id: number }[]): number[] {
  return files.map(({ id }) => id)
}
