import type { Link } from '#contract/links.ts'
import type { Database } from '../db/database.ts'
import { toIso } from '../kit/clock.ts'
import type { TokenEncryption } from '../kit/token-encryption.ts'
import { fileCards, findPeople } from '../media/public.ts'
import type { Storage } from '../storage/storage.ts'
import { countLinkFiles, countSentFiles, type LinkWithAlbum } from './links.sql.ts'

export interface PresentDeps {
  db: Database
  storage: Storage
  tokenEncryption: TokenEncryption
}

/** A few queries, however many links there are. */
export async function presentLinks(
  { db, storage, tokenEncryption }: PresentDeps,
  rows: readonly LinkWithAlbum[],
): Promise<Link[]> {
  const uploadLinks = rows.filter(row => row.upload_album_id !== null).map(row => row.id)
  const [files, people, sent] = await Promise.all([
    countLinkFiles(db, rows),
    findPeople(db.query, [...new Set(rows.map(row => row.created_by))]),
    countSentFiles(db.query, uploadLinks),
  ])
  const cards = await fileCards(
    db.query,
    storage,
    [...files.values()].flatMap(({ firstId }) => firstId ?? []),
  )
  return rows.flatMap(row => {
    const card = cards.get(files.get(row.id)?.firstId ?? 0)
    const created_by = people.find(person => person.id === row.created_by)
    if (!created_by) return []
    const album = row.album ?? row.uploadAlbum
    const { max_files, max_bytes } = row
    return {
      id: row.id,
      title: row.title,
      album: album && { id: album.id, title: album.title },
      album_deleted: (row.album_id !== null || row.upload_album_id !== null) && album === null,
      file_count: files.get(row.id)?.files ?? 0,
      first_file: card ? { name: card.original_name, thumbnail_url: card.thumbnail_url } : null,
      created_by,
      created_at: toIso(row.created_at),
      expires_at: row.expires_at === null ? null : toIso(row.expires_at),
      has_password: row.password_hash !== null,
      originals: row.originals === 1,
      captions: row.captions === 1,
      views: row.views,
      last_viewed_at: row.last_viewed_at === null ? null : toIso(row.last_viewed_at),
      ended_at: row.ended_at === null ? null : toIso(row.ended_at),
      address: tokenEncryption.stateOf(row.encrypted_token),
      uploads:
        max_files === null || max_bytes === null
          ? null
          : { max_files, max_bytes, ...(sent.get(row.id) ?? { files: 0, waiting: 0 }) },
    }
  })
}

export async function presentLink(deps: PresentDeps, row: LinkWithAlbum): Promise<Link> {
  const [link] = await presentLinks(deps, [row])
  if (!link) throw new Error(`Link ${row.id} was made by nobody`)
  return link
}
