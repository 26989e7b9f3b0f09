import { asName, isVisible } from '#contract/common.ts'
import { bulkChanges, lengths } from '#contract/limits.ts'
import { TagName } from '#contract/tags.ts'
import {
  albumChanged,
  findAlbum,
  insertAlbum,
  insertFiles,
  lockAlbum,
  sortedByDate,
  updateStatistics,
} from '../albums/public.ts'
import type { Tx } from '../db/schema.ts'
import { addImportedHearts } from '../hearts/public.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { nameFromDisk } from '../kit/name-from-disk.ts'
import { tagFiles } from '../tags/public.ts'
import { addAlbumComments } from './give-facts.ts'
import type { Importing } from './importing.ts'
import {
  comparableName,
  findImportedAlbum,
  recordAlbum,
  recordEditedVersion,
  recordFacts,
  withoutFact,
} from './imports.sql.ts'
import type { ImportAlbum, ImportItem, ImportPlan } from './plan.ts'

type MediaIds = ReadonlyMap<ImportItem, number>

/** What files get together: hearts, tags, albums, and which is an edited version of which. */
export async function giveCollections(importing: Importing, plan: ImportPlan, ids: MediaIds): Promise<number> {
  await giveHearts(importing, ids)
  await giveTags(importing, ids)
  await linkVersions(importing, ids)
  return fillAlbums(importing, plan, ids)
}

async function giveHearts({ people, ...importing }: Importing, ids: MediaIds): Promise<void> {
  const { db, personId, importId, signal } = importing
  const byPerson = new Map<number, number[]>()
  for (const [{ facts }, mediaId] of ids) {
    const others = facts.hearts.flatMap(name => people.get(comparableName(name)) ?? [])
    for (const id of facts.heart ? [personId, ...others] : others) {
      const theirs = byPerson.get(id)
      if (theirs) theirs.push(mediaId)
      else byPerson.set(id, [mediaId])
    }
  }
  for (const [id, mediaIds] of byPerson) {
    const fact = `heart:${id}`
    for (const some of inChunks(await withoutFact(db.query, fact, mediaIds), bulkChanges.files)) {
      signal.throwIfAborted()
      await db.bulkTransaction(some.length, async tx => {
        const added = await addImportedHearts(importing, tx, id, some)
        await recordFacts(tx, importId, factFor(added, fact))
      })
    }
  }
}

async function giveTags(importing: Importing, ids: MediaIds): Promise<void> {
  const { db, personId, importId, changes, signal } = importing
  const byTag = new Map<string, number[]>()
  for (const [{ facts }, mediaId] of ids) {
    for (const tag of facts.tags) byTag.set(tag, [...(byTag.get(tag) ?? []), mediaId])
  }
  for (const [tag, mediaIds] of byTag) {
    const name = TagName.safeParse(tag)
    if (!name.success) continue
    const fact = `tag:${name.data}`
    for (const fileIds of inChunks(await withoutFact(db.query, fact, mediaIds), bulkChanges.files)) {
      signal.throwIfAborted()
      const { change_id } = await changes.continued(fact, continues =>
        tagFiles(importing, personId, { fileIds, tagName: name.data, continues }),
      )
      await db.transaction(tx => recordFacts(tx, importId, factFor(fileIds, fact, change_id)))
    }
  }
}

async function linkVersions({ db, importId }: Importing, ids: MediaIds): Promise<void> {
  for (const some of inChunks(
    [...ids].filter(([item]) => item.editedFrom),
    500,
  )) {
    await db.transaction(async tx => {
      for (const [{ editedFrom }, media_id] of some) {
        const original_id = editedFrom && ids.get(editedFrom)
        if (original_id === undefined || original_id === media_id) continue
        await recordEditedVersion(tx, { media_id, original_id, import_id: importId })
      }
    })
  }
}

/** Returns how many albums got files. */
async function fillAlbums(importing: Importing, plan: ImportPlan, ids: MediaIds): Promise<number> {
  const { db, importId, problem, signal } = importing
  const files = new Map<string, { mediaId: number; position: number | undefined }[]>()
  for (const [item, mediaId] of ids) {
    for (const { key, position } of item.albums) {
      const inAlbum = files.get(key)
      if (inAlbum) inAlbum.push({ mediaId, position })
      else files.set(key, [{ mediaId, position }])
    }
  }
  let filled = 0
  for (const album of plan.albums) {
    const inAlbum = files.get(album.key) ?? []
    if (inAlbum.length === 0) continue
    signal.throwIfAborted()
    const isOrdered = inAlbum.every(({ position }) => position !== undefined)
    const ordered = isOrdered ? inAlbum.toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0)) : inAlbum
    const albumId = await albumFor(importing, album, isOrdered)
    if (albumId === undefined) {
      problem({ path: album.title, reason: 'album-deleted-since' })
      continue
    }
    const fact = `album:${albumId}`
    const mediaIds = await withoutFact(
      db.query,
      fact,
      ordered.map(({ mediaId }) => mediaId),
    )
    for (const some of inChunks(mediaIds, bulkChanges.files)) {
      await db.bulkTransaction(some.length, async tx => {
        const added = await addToAlbum(importing, tx, albumId, some, isOrdered)
        await recordFacts(tx, importId, factFor(added, fact))
      })
    }
    filled += 1
  }
  return filled
}

async function addToAlbum(
  importing: Importing,
  tx: Tx,
  albumId: number,
  mediaIds: readonly number[],
  isOrdered: boolean,
): Promise<number[]> {
  const { db, personId, clock } = importing
  const album = await lockAlbum(db, tx, albumId)
  if (!album || album.search !== null) return []
  // Only files that are not deleted.
  const byDate = await sortedByDate(tx, mediaIds)
  const active = new Set(byDate)
  const files = isOrdered ? mediaIds.filter(id => active.has(id)) : byDate
  const added = await insertFiles(tx, albumId, files, { by: personId, at: clock() })
  await updateStatistics(db, tx, added.length)
  if (added.length > 0) {
    const before = { name: album.title, files: added.length }
    await albumChanged(importing, tx, albumId, { actorId: personId, act: 'album.add', before })
  }
  return added
}

/** That of an earlier import, whatever it is called now. Undefined: people have deleted it. */
async function albumFor(importing: Importing, album: ImportAlbum, isOrdered: boolean): Promise<number | undefined> {
  const { db, personId, importId, clock } = importing
  const source_key = `${importing.kind}:${album.key}`
  const known = await findImportedAlbum(db.query, personId, source_key)
  if (known !== undefined) return (await findAlbum(db.query, known))?.id
  return db.transaction(async tx => {
    const at = clock()
    const title = nameFromDisk(asName(album.title), lengths.albumTitle)
    const albumId = await insertAlbum(tx, {
      title: isVisible(title) ? title : 'Album',
      description: [...album.description.trim()].slice(0, lengths.albumDescription).join(''),
      search: null,
      file_order: isOrdered ? 'manual' : 'oldest',
      created_at: at,
      created_by: personId,
    })
    await recordAlbum(tx, { person_id: personId, source_key, import_id: importId, album_id: albumId })
    await albumChanged(importing, tx, albumId, { actorId: personId, act: 'album.create' })
    await addAlbumComments(importing, tx, albumId, album)
    return albumId
  })
}

function factFor(mediaIds: readonly number[], fact: string, changeId: number | null = null) {
  return mediaIds.map(mediaId => ({ mediaId, fact, changeId }))
}
