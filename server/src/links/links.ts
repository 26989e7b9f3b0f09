import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { DAY, links as limits } from '#contract/limits.ts'
import { type createLink as createLinkEndpoint, type Link, sharedPagePath } from '#contract/links.ts'
import { can } from '#contract/rights.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, LinkRow, Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import { hashToken, newToken } from '../kit/tokens.ts'
import { announce } from '../live/announce.ts'
import { enqueueCopyForGuests, lockActiveMedia, noSuchFile } from '../media/public.ts'
import {
  countLinkFiles,
  countLinksOf,
  deleteOldLinks,
  findPeopleById,
  findVideosToCopy,
  insertLink,
  lockLink,
  type MadeBy,
  selectLinks,
  setEnded,
} from './links.sql.ts'
import { hashPassword } from './password.ts'

export interface LinkDeps {
  db: Database
  clock: Clock
  queue: Queue
  publicUrl: URL
}

type Maker = Pick<Caller, 'id' | 'role'>

/** Admins manage every link, others those that they made. */
function manageableBy({ id, role }: Maker): MadeBy {
  return can(role, 'library.care') ? 'anyone' : { personId: id }
}

export async function createLink(
  { db, clock, queue, publicUrl }: LinkDeps,
  caller: Maker,
  wanted: ParsedInput<typeof createLinkEndpoint>['body'],
): Promise<Answer<typeof createLinkEndpoint>> {
  const token = newToken()
  // Before the transaction, in which only the database is awaited.
  const password_hash = wanted.password === undefined ? null : await hashPassword(wanted.password)
  return db.transaction(async tx => {
    if ((await countLinksOf(tx, caller.id)) >= limits.perPerson) {
      throw new AppError('conflict', `You have ${limits.perPerson} links already. Please end some that are not needed.`)
    }
    const files = await lockActiveMedia(db, tx, wanted.fileIds)
    if (files.length === 0) throw noSuchFile()
    const now = clock()
    const values = {
      token_hash: hashToken(token),
      password_hash,
      title: wanted.title ?? null,
      created_by: caller.id,
      created_at: now,
      expires_at: wanted.days === null ? null : now + wanted.days * DAY,
      originals: wanted.originals ? 1 : 0,
    }
    const fileIds = files.map(file => file.id)
    const link = await insertLink(tx, values, fileIds)
    for (const id of await findVideosToCopy(tx, link.id)) await enqueueCopyForGuests(queue, tx, id, caller.id)
    await recordChange(db, tx, { link, actorId: caller.id, act: 'link.create', at: now, files: fileIds.length })
    const presented = await presentOne(tx, link)
    return { ...presented, url: new URL(`${sharedPagePath}#${link.id}.${token}`, publicUrl).href }
  })
}

export async function listLinks(
  { db }: Pick<LinkDeps, 'db'>,
  caller: Maker,
  page: { limit: number; before?: number | undefined },
): Promise<Link[]> {
  const { limit, before } = page
  return present(db.query, await selectLinks(db.query, manageableBy(caller), { limit, before }))
}

/** Idempotent. Only who ended a link can take that back, so that nobody reopens what an admin ended. */
export async function changeLink(
  { db, clock }: Pick<LinkDeps, 'db' | 'clock'>,
  caller: Maker,
  id: number,
  { ended }: { ended: boolean },
): Promise<Link> {
  return db.transaction(async tx => {
    const link = await lockLink(db, tx, manageableBy(caller), id)
    if (!link) throw new AppError('not_found', 'There is no such link.')
    if ((link.ended_at !== null) === ended) return presentOne(tx, link)
    if (!ended && link.ended_by !== caller.id) {
      throw new AppError('conflict', 'Somebody else has ended this link. Please make a new one.')
    }
    const now = clock()
    await setEnded(tx, id, ended ? { at: now, by: caller.id } : null)
    const presented = await presentOne(tx, { ...link, ended_at: ended ? now : null })
    const change = { link, actorId: caller.id, at: now, files: presented.file_count }
    await recordChange(db, tx, { ...change, act: ended ? 'link.end' : 'link.reopen' })
    return presented
  })
}

interface LinkChange {
  link: LinkRow
  actorId: number
  act: 'link.create' | 'link.end' | 'link.reopen'
  at: number
  files: number
}

/** The audit entry names the link by its title or its size: never by its address, which is a secret. */
async function recordChange(db: Database, tx: Tx, { link, actorId, act, at, files }: LinkChange): Promise<void> {
  const name = link.title ?? (files === 1 ? '1 file' : `${files} files`)
  await recordAudit(tx, [{ at, actorId, act, subject: { type: 'link', id: link.id }, before: { name, files } }])
  await announce(db, tx, { kind: 'links' }, 'everyone')
}

/** Two queries, however many links there are. */
async function present(handle: Handle, rows: readonly LinkRow[]): Promise<Link[]> {
  const [counts, people] = await Promise.all([
    countLinkFiles(
      handle,
      rows.map(row => row.id),
    ),
    findPeopleById(handle, [...new Set(rows.map(row => row.created_by))]),
  ])
  return rows.flatMap(row => {
    const created_by = people.get(row.created_by)
    if (!created_by) return []
    return {
      id: row.id,
      title: row.title,
      file_count: counts.get(row.id) ?? 0,
      created_by,
      created_at: toIso(row.created_at),
      expires_at: row.expires_at === null ? null : toIso(row.expires_at),
      has_password: row.password_hash !== null,
      originals: row.originals === 1,
      views: row.views,
      last_viewed_at: row.last_viewed_at === null ? null : toIso(row.last_viewed_at),
      ended_at: row.ended_at === null ? null : toIso(row.ended_at),
    }
  })
}

async function presentOne(handle: Handle, row: LinkRow): Promise<Link> {
  const [link] = await present(handle, [row])
  if (!link) throw new Error(`Link ${row.id} was made by nobody`)
  return link
}

const cleanUp = defineJob<null>('links.clean-up', { everyMs: DAY / 24 })

/** Deletes what ended or expired a while ago. */
export function handleLinkJobs(queue: Queue, { db, clock }: Pick<LinkDeps, 'db' | 'clock'>): void {
  queue.handle(cleanUp, { run: () => deleteOldLinks(db.query, clock() - limits.keptAfterEnd) })
}
