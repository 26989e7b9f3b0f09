import type {
  Album,
  AlbumOfFile,
  AlbumWithKinds,
  createAlbum as createAlbumEndpoint,
  listAlbums as listAlbumsEndpoint,
  updateAlbum as updateAlbumEndpoint,
} from '#contract/albums.ts'
import type { AuditAct } from '#contract/audit.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { DAY } from '#contract/limits.ts'
import { SharedFilter } from '#contract/media-filter.ts'
import { can } from '#contract/rights.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { AlbumRow, Tx } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { searchable } from '../kit/searchable.ts'
import type { Caller } from '../kit/serve.ts'
import { announce } from '../live/announce.ts'
import {
  type AlbumStats,
  countSmartAlbum,
  countVideosOfAlbum,
  fileCards,
  findActiveMedia,
  findPartKeys,
  findPeople,
  hasCaptions,
  noSuchAlbum,
  noSuchFile,
  type SmartAlbumCount,
  smartAlbumCounts,
  statsOfAlbums,
  storeSmartAlbumCount,
} from '../media/public.ts'
import type { Storage } from '../storage/storage.ts'
import {
  type AlbumChange,
  findAlbum,
  insertAlbum,
  insertFiles,
  isInAlbum,
  lockAlbum,
  markAlbumDeleted,
  type Owner,
  renumber,
  selectAlbums,
  selectAlbumsOfFile,
  sortedByDate,
  unmarkAlbumDeleted,
  updateAlbumRow,
  updateStatistics,
} from './albums.sql.ts'

export interface AlbumDeps {
  db: Database
  clock: Clock
  storage: Pick<Storage, 'signedUrl'>
  trashDays: number
  log: { error(context: object, message: string): void }
}

export type Actor = Pick<Caller, 'id' | 'role'>

export async function listAlbums(
  deps: AlbumDeps,
  { limit, before, search = '' }: ParsedInput<typeof listAlbumsEndpoint>['query'],
): Promise<Album[]> {
  const words = searchable(search).split(' ').filter(Boolean)
  const rows = await selectAlbums(deps.db, { limit, before, words })
  return presentAlbums(deps, rows, await statsOfAlbums(deps.db, rows))
}

export async function getAlbum(deps: AlbumDeps, id: number): Promise<AlbumWithKinds> {
  const row = await findAlbum(deps.db.query, id)
  if (!row) throw noSuchAlbum()
  const [stats, videos] = await Promise.all([statsOfAlbums(deps.db, [row]), countVideosOfAlbum(deps.db, row)])
  return presentAlbum(deps, row, stats, videos)
}

/** After a change. What a smart album finds is counted at once, for the person who has changed it. */
async function changedAlbum(deps: AlbumDeps, id: number): Promise<AlbumWithKinds> {
  const row = await findAlbum(deps.db.query, id)
  if (!row || row.search === null) return getAlbum(deps, id)
  const count = await countAfterChange(deps, row)
  return presentAlbum(deps, row, new Map([[id, count]]), count.videos)
}

/** The change is committed and must be acknowledged: if it cannot be counted, the last count is shown. */
async function countAfterChange({ db, clock, log }: AlbumDeps, row: AlbumRow): Promise<SmartAlbumCount> {
  const countedAt = clock()
  try {
    const count = await countSmartAlbum(db, row)
    await storeSmartAlbumCount(db.query, row.id, count, countedAt)
    return count
  } catch (error) {
    log.error({ err: error, album: row.id }, 'a changed smart album could not be counted; the next change tries again')
    const last = (await smartAlbumCounts(db.query, [row.id])).get(row.id)
    return last ?? { files: 0, videos: 0, firstDate: null, lastDate: null, coverId: null }
  }
}

async function presentAlbum(
  deps: AlbumDeps,
  row: AlbumRow,
  stats: ReadonlyMap<number, AlbumStats>,
  video_count: number,
): Promise<AlbumWithKinds> {
  const [[album], has_captions] = await Promise.all([presentAlbums(deps, [row], stats), hasCaptions(deps.db, row)])
  if (!album) throw noSuchAlbum()
  return { ...album, video_count, has_captions }
}

/** A fixed number of queries, however many albums there are. */
async function presentAlbums(
  { db, storage }: AlbumDeps,
  rows: readonly AlbumRow[],
  stats: ReadonlyMap<number, AlbumStats>,
): Promise<Album[]> {
  const creators = [...new Set(rows.map(row => row.created_by))]
  const coverIds = [...stats.values()].flatMap(({ coverId }) => coverId ?? [])
  const [people, cards, keys] = await Promise.all([
    findPeople(db.query, creators),
    fileCards(db.query, storage, coverIds),
    findPartKeys(db.query, coverIds),
  ])
  return rows.flatMap(row => {
    const created_by = people.find(person => person.id === row.created_by)
    const found = stats.get(row.id)
    if (!created_by || !found) return []
    const card = cards.get(found.coverId ?? 0)
    const website = keys.get(found.coverId ?? 0)?.website
    return {
      id: row.id,
      title: row.title,
      description: row.description,
      order: row.file_order,
      search: row.search === null ? null : JSON.parse(row.search),
      file_count: found.files,
      first_date: found.firstDate,
      last_date: found.lastDate,
      cover: card?.thumbnail_url
        ? {
            media_id: card.id,
            thumbnail_url: card.thumbnail_url,
            website_url: website === undefined ? card.thumbnail_url : storage.signedUrl(website),
            width: card.width,
            height: card.height,
            thumbhash: card.thumbhash,
            chosen: card.id === row.cover_id,
          }
        : null,
      created_at: toIso(row.created_at),
      created_by,
    }
  })
}

export async function createAlbum(
  deps: AlbumDeps,
  actorId: number,
  { title, description, fileIds = [], search }: ParsedInput<typeof createAlbumEndpoint>['body'],
): Promise<Album> {
  const { db, clock } = deps
  if (search !== undefined && fileIds.length > 0) {
    throw new AppError('invalid', 'albums.filledBySearch')
  }
  const id = await db.bulkTransaction(fileIds.length, async tx => {
    const at = clock()
    const created = await insertAlbum(tx, {
      title,
      description,
      search: search === undefined ? null : writeSearch(search),
      file_order: search === undefined ? 'oldest' : 'newest',
      created_at: at,
      created_by: actorId,
    })
    const added = await insertFiles(tx, created, await sortedByDate(tx, fileIds), { by: actorId, at })
    await updateStatistics(db, tx, added.length)
    await albumChanged(deps, tx, created, { actorId, act: 'album.create' })
    return created
  })
  return changedAlbum(deps, id)
}

export async function updateAlbum(
  deps: AlbumDeps,
  actor: Actor,
  id: number,
  { expected = {}, ...wanted }: ParsedInput<typeof updateAlbumEndpoint>['body'],
): Promise<Album> {
  const { db, clock } = deps
  await db.transaction(async tx => {
    const album = await lockOwnAlbum(deps, tx, actor, id)
    const now = {
      title: album.title,
      description: album.description,
      order: album.file_order,
      cover_id: album.cover_id,
      search: album.search === null ? null : writeSearch(SharedFilter.parse(JSON.parse(album.search))),
    }
    const was = { ...expected, search: expected.search && writeSearch(expected.search) }
    if (Object.entries(was).some(([name, value]) => value !== undefined && value !== now[name as keyof typeof now])) {
      throw new AppError('conflict', 'albums.changedSince')
    }
    const { title, description, order, cover_id, search } = wanted
    const change: AlbumChange = {
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
      ...(cover_id === undefined ? {} : { cover_id: await checkedCover(tx, album, cover_id) }),
      ...(order === undefined ? {} : await reorder(tx, album, order, clock())),
      ...(search === undefined ? {} : { search: changedSearch(album, search) }),
    }
    if (Object.entries(change).every(([name, value]) => value === album[name as keyof AlbumChange])) return
    await updateAlbumRow(tx, id, change)
    await albumChanged(deps, tx, id, { actorId: actor.id, act: 'album.update', before: { name: album.title, ...now } })
  })
  return changedAlbum(deps, id)
}

/** A smart album shows its first file instead once its search no longer finds the cover. */
async function checkedCover(tx: Tx, album: AlbumRow, coverId: number | null): Promise<number | null> {
  if (coverId === null) return null
  const isThere =
    (await findActiveMedia(tx, coverId)) && (album.search !== null || (await isInAlbum(tx, album.id, coverId)))
  if (!isThere) throw new AppError('not_found', 'albums.coverGone')
  return coverId
}

function changedSearch(album: AlbumRow, search: SharedFilter): string {
  if (album.search === null) throw new AppError('conflict', 'albums.filledByPeople')
  return writeSearch(search)
}

/** Parsed filters have the order of the contract, so equal ones are equal texts. */
function writeSearch(search: SharedFilter): string {
  return JSON.stringify(search)
}

/** The first manual order starts as the files are shown now; later ones are as people left them. */
async function reorder(tx: Tx, album: AlbumRow, order: AlbumRow['file_order'], at: number): Promise<AlbumChange> {
  if (order !== 'manual') return { file_order: order }
  if (album.search !== null) throw new AppError('conflict', 'albums.smartByDate')
  if (album.manual_order_since !== null) return { file_order: order }
  await renumber(tx, album.id, album.file_order === 'newest' ? 'newest' : 'oldest')
  return { file_order: order, manual_order_since: at }
}

/** Hidden at once; removed for good after as long as deleted files. */
export async function deleteAlbum(deps: AlbumDeps, actor: Actor, id: number): Promise<void> {
  await deps.db.transaction(async tx => {
    const album = await lockOwnAlbum(deps, tx, actor, id)
    await markAlbumDeleted(tx, id, actor.id, deps.clock())
    await albumChanged(deps, tx, id, { actorId: actor.id, act: 'album.delete', before: { name: album.title } })
  })
}

export async function restoreAlbum(deps: AlbumDeps, actor: Actor, id: number): Promise<Album> {
  await deps.db.transaction(async tx => {
    const since = deps.clock() - deps.trashDays * DAY
    if (!(await unmarkAlbumDeleted(tx, id, ownerAmong(actor), since))) throw noSuchAlbum()
    await albumChanged(deps, tx, id, { actorId: actor.id, act: 'album.restore' })
  })
  return changedAlbum(deps, id)
}

export async function albumsOfFile({ db }: AlbumDeps, actor: Actor, mediaId: number): Promise<AlbumOfFile[]> {
  if (!(await findActiveMedia(db.query, mediaId))) throw noSuchFile()
  const owner = ownerAmong(actor)
  const rows = await selectAlbumsOfFile(db.query, mediaId)
  return rows.map(row => ({
    id: row.id,
    title: row.title,
    added_by: { id: row.added_by, username: row.username, name: row.name },
    guest: row.guest,
    added_at: toIso(row.added_at),
    removable:
      can(actor.role, 'albums.edit') &&
      (owner === 'anyone' || row.created_by === owner.personId || row.added_by === owner.personId),
  }))
}

/** Admins change every album, others their own. */
export function ownerAmong({ id, role }: Actor): Owner {
  return can(role, 'albums.edit-others') ? 'anyone' : { personId: id }
}

export function owns({ id, role }: Actor, album: Pick<AlbumRow, 'created_by'>): boolean {
  return album.created_by === id || can(role, 'albums.edit-others')
}

async function lockOwnAlbum({ db }: AlbumDeps, tx: Tx, actor: Actor, id: number): Promise<AlbumRow> {
  const album = await lockAlbum(db, tx, id)
  if (!album) throw noSuchAlbum()
  if (!owns(actor, album)) {
    throw new AppError('forbidden', 'albums.notYours')
  }
  return album
}

export interface AlbumAuditEntry {
  actorId: number
  act: AuditAct
  before?: unknown
}

export async function albumChanged(
  { db, clock }: AlbumDeps,
  tx: Tx,
  id: number,
  entry: AlbumAuditEntry,
): Promise<void> {
  await recordAudit(tx, [{ ...entry, at: clock(), subject: { type: 'album', id } }])
  await announce(db, tx, { kind: 'albums', id }, 'everyone')
}
