import type { AuditAct } from '#contract/audit.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { addTag as addTagEndpoint, Tag, tagFiles as tagFilesEndpoint } from '#contract/tags.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, TagRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { findActiveMedia, type LockedMedia, lockActiveMedia, noSuchFile } from '../media/public.ts'
import { notifyOfTag } from '../notifications/public.ts'
import { deleteMediaTags, ensureTag, insertMediaTags, respellUnused, tagName, tagNamesOf, tagsOf } from './tags.sql.ts'

export interface TagDeps {
  db: Database
  clock: Clock
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
    const { tag, newlyTagged } = await putTag(deps, tx, actorId, files, name)
    return { ...tag, added: newlyTagged.length > 0 }
  })
}

/** Deleted files are skipped. */
export async function tagFiles(
  deps: TagDeps,
  actorId: number,
  mediaIds: readonly number[],
  name: string,
): Promise<Answer<typeof tagFilesEndpoint>> {
  return deps.db.transaction(async tx => {
    const files = await lockActiveMedia(deps.db, tx, mediaIds)
    if (files.length === 0) return { tagged: 0, tagId: null, fileIds: [] }
    const { tag, newlyTagged } = await putTag(deps, tx, actorId, files, name)
    return { tagged: files.length, tagId: tag.id, fileIds: newlyTagged.map(file => file.id) }
  })
}

/** Returns how many of these files had the tag. */
export async function untagFiles(
  { db, clock }: TagDeps,
  actorId: number,
  mediaIds: readonly number[],
  tagId: number,
): Promise<number> {
  return db.transaction(async tx => {
    const active = (await lockActiveMedia(db, tx, mediaIds)).map(file => file.id)
    const before = await tagNamesOf(tx, active, MOST_IN_AUDIT)
    const untagged = await deleteMediaTags(tx, active, tagId)
    await audit(tx, clock, actorId, { act: 'media.untag', tagId, before }, untagged)
    if (untagged.length > 0) await announceTags(db, tx, untagged)
    return untagged.length
  })
}

export async function removeTag(deps: TagDeps, actorId: number, mediaId: number, tagId: number): Promise<void> {
  if ((await untagFiles(deps, actorId, [mediaId], tagId)) > 0) return
  if (!(await findActiveMedia(deps.db.query, mediaId))) throw noSuchFile()
  throw new AppError('not_found', 'This file does not have that tag.')
}

/** The caller has locked the files, so that concurrent tagging of one file is serialised. */
async function putTag(deps: TagDeps, tx: Tx, actorId: number, files: LockedMedia[], name: string) {
  const { db, clock } = deps
  const tag = await tagCalled(tx, name)
  const ids = files.map(file => file.id)
  const before = await tagNamesOf(tx, ids, MOST_IN_AUDIT)
  const tagged = new Set(await insertMediaTags(tx, ids, { tagId: tag.id, by: actorId, at: clock() }))
  const newlyTagged = files.filter(file => tagged.has(file.id))
  if (newlyTagged.length > 0) {
    await audit(tx, clock, actorId, { act: 'media.tag', tagId: tag.id, before }, [...tagged])
    await notifyOfTag(deps, tx, { actorId, tagId: tag.id, files: newlyTagged })
    await announceTags(db, tx, [...tagged])
  }
  return { tag: { id: tag.id, name: tag.name }, newlyTagged }
}

async function tagCalled(tx: Tx, name: string): Promise<TagRow> {
  const tag = await ensureTag(tx, name, nameKey(name))
  return tag.name === name ? tag : ((await respellUnused(tx, tag.id, name)) ?? tag)
}

/** Tag names are unique regardless of case. Upper and then lower case, so that STRASSE equals Straße. */
function nameKey(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase()
}

async function audit(
  tx: Tx,
  clock: Clock,
  actorId: number,
  { act, tagId, before }: { act: AuditAct; tagId: number; before: ReadonlyMap<number, string[]> },
  mediaIds: readonly number[],
): Promise<void> {
  const at = clock()
  const tag = await tagName(tx, tagId)
  const tagsBefore = (id: number) => {
    const tags = before.get(id) ?? []
    // If ids are left out, the audit line still names the tag.
    return tags.length < MOST_IN_AUDIT ? { tags, tag } : { tags, more: true, tag_id: tagId, tag }
  }
  await recordAudit(
    tx,
    mediaIds.map(id => ({ at, actorId, act, subject: { type: 'media', id }, before: tagsBefore(id) })),
  )
}

/** Limits the tags in an audit line: with all of them, the ten-thousandth tag would write half a MB. */
const MOST_IN_AUDIT = 100

/** Above this number the event lists no ids. */
const MAX_LISTED_FILES = 20

async function announceTags(db: Database, tx: Tx, mediaIds: readonly number[]): Promise<void> {
  const listed = mediaIds.length > MAX_LISTED_FILES ? [null] : mediaIds
  for (const media_id of listed) await announce(db, tx, { kind: 'tags', media_id }, 'everyone')
}
