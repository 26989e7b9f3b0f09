import type { AuditAct } from '#contract/admin.ts'
import type { Tag } from '#contract/tags.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, TagRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { findActiveMedia, type LockedMedia, lockActiveMedia, noSuchFile } from '../media/public.ts'
import { notifyOfTag } from '../notifications/public.ts'
import { ensureTag, putOn, respellUnused, tagNamesOf, tagsOf, takeOff } from './tags.sql.ts'

export interface TagDeps {
  db: Database
  clock: Clock
}

export async function tagsOfFile(handle: Handle, mediaId: number): Promise<Tag[]> {
  if (!(await findActiveMedia(handle, mediaId))) throw noSuchFile()
  return tagsOf(handle, mediaId)
}

/** Idempotent: a tag that the file already has changes nothing and notifies nobody. */
export async function addTag(deps: TagDeps, actorId: number, mediaId: number, name: string): Promise<Tag> {
  return deps.db.transaction(async tx => {
    const files = await lockActiveMedia(deps.db, tx, [mediaId])
    if (files.length === 0) throw noSuchFile()
    return putTag(deps, tx, actorId, files, name)
  })
}

/** Returns how many of these files have the tag now. Deleted files are skipped. */
export async function tagFiles(
  deps: TagDeps,
  actorId: number,
  mediaIds: readonly number[],
  name: string,
): Promise<number> {
  return deps.db.transaction(async tx => {
    const files = await lockActiveMedia(deps.db, tx, mediaIds)
    if (files.length > 0) await putTag(deps, tx, actorId, files, name)
    return files.length
  })
}

export async function removeTag(
  { db, clock }: TagDeps,
  actorId: number,
  mediaId: number,
  tagId: number,
): Promise<void> {
  await db.transaction(async tx => {
    if ((await lockActiveMedia(db, tx, [mediaId])).length === 0) throw noSuchFile()
    const before = await tagNamesOf(tx, [mediaId], MOST_IN_AUDIT)
    if (!(await takeOff(tx, mediaId, tagId))) throw new AppError('not_found', 'This file does not have that tag.')
    await audit(tx, clock, actorId, { act: 'media.untag', tagId, before }, [mediaId])
    await announceTags(db, tx, [mediaId])
  })
}

/** The caller has locked the files, so that concurrent tagging of one file is serialised. */
async function putTag(deps: TagDeps, tx: Tx, actorId: number, files: LockedMedia[], name: string): Promise<Tag> {
  const { db, clock } = deps
  const tag = await tagCalled(tx, name)
  const ids = files.map(file => file.id)
  const before = await tagNamesOf(tx, ids, MOST_IN_AUDIT)
  const tagged = new Set(await putOn(tx, ids, { tagId: tag.id, by: actorId, at: clock() }))
  const newlyTagged = files.filter(file => tagged.has(file.id))
  if (newlyTagged.length > 0) {
    await audit(tx, clock, actorId, { act: 'media.tag', tagId: tag.id, before }, [...tagged])
    await notifyOfTag(deps, tx, { actorId, tagId: tag.id, files: newlyTagged })
    await announceTags(db, tx, [...tagged])
  }
  return { id: tag.id, name: tag.name }
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
  const tagsBefore = (id: number) => {
    const tags = before.get(id) ?? []
    // If ids are left out, the audit line still names the tag.
    return tags.length < MOST_IN_AUDIT ? { tags } : { tags, more: true, tag_id: tagId }
  }
  await recordAudit(
    tx,
    mediaIds.map(id => ({ at, actorId, act, subject: { type: 'media', id }, before: tagsBefore(id) })),
  )
}

/** Limits the tags in an audit line: with all of them, the ten-thousandth tag would write half a MB. */
const MOST_IN_AUDIT = 100

/** Above this number the event lists no ids. */
const TOLD_ONE_BY_ONE = 20

async function announceTags(db: Database, tx: Tx, mediaIds: readonly number[]): Promise<void> {
  const told = mediaIds.length > TOLD_ONE_BY_ONE ? [null] : mediaIds
  for (const media_id of told) await announce(db, tx, { kind: 'tags', media_id }, 'everyone')
}
