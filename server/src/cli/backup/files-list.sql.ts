import { z } from 'zod'
import type { Snapshot, Value } from '../../db/snapshot.sql.ts'
import { contentHashOf } from '../../media/hidden-files.sql.ts'
import { WATCHED } from '../../storage/keys.ts'
import { readJsonLines, writeJsonLines } from './database-dump.ts'

/** A stored file that a database snapshot refers to. */
const ListedFile = z.object({
  key: z.string(),
  kind: z.string(),
  /** Null if it was not recorded. */
  size: z.number().nullable(),
  /** BLAKE3 in hex, only for originals. */
  hash: z.string().nullable(),
  mediaId: z.number().nullable(),
  name: z.string().nullable(),
})
export type ListedFile = z.infer<typeof ListedFile>

/** Kinds that can be regenerated from the original; all other parts cannot. */
const MADE_FROM_THE_ORIGINAL = new Set([
  ...['full', 'thumbnail', 'mobile', 'website', 'desktop', 'poster', 'motion_full', 'compatible', 'shared'],
])

export function canBeMadeAgain(kind: string): boolean {
  return MADE_FROM_THE_ORIGINAL.has(kind)
}

export interface FilesList {
  hash: string
  count: number
  bytes: number
  /** Originals and clips of watched folders, also if they are left out. */
  watched: number
}

export async function writeFilesList(
  snapshot: Snapshot,
  path: string,
  { withVariants, withWatched = true }: { withVariants: boolean; withWatched?: boolean | undefined },
): Promise<FilesList> {
  const list = { count: 0, bytes: 0, watched: 0 }
  async function* lines(): AsyncGenerator<ListedFile[]> {
    for await (const batch of filesOf(snapshot)) {
      const isWatched = ({ key }: ListedFile) => key.startsWith(WATCHED)
      list.watched += batch.filter(isWatched).length
      const files = batch.filter(
        file => (withVariants || !canBeMadeAgain(file.kind)) && (withWatched || !isWatched(file)),
      )
      list.count += files.length
      for (const file of files) list.bytes += file.size ?? 0
      yield files
    }
  }
  return { hash: await writeJsonLines(path, lines()), ...list }
}

export async function* readFilesList(path: string): AsyncGenerator<ListedFile> {
  for await (const lines of readJsonLines(path)) {
    for (const line of lines) yield ListedFile.parse(line)
  }
}

export async function* filesOf(snapshot: Snapshot): AsyncGenerator<ListedFile[]> {
  for await (const rows of snapshot.read(AVATARS)) {
    yield rows.map(([key]) => ({ key: String(key), kind: 'avatar', size: null, hash: null, mediaId: null, name: null }))
  }
  for await (const rows of snapshot.read(PARTS)) yield rows.map(partFile)
}

function partFile([key, kind, size, mediaId, hash, name]: Value[]): ListedFile {
  return {
    key: String(key),
    kind: String(kind),
    size: Number(size),
    hash: kind === 'original' ? contentHashOf({ hash: String(hash) }) : null,
    mediaId: Number(mediaId),
    name: String(name),
  }
}

const AVATARS = 'select avatar_key from people where avatar_key is not null order by id'

const PARTS = `
  select media_parts.key, media_parts.kind, media_parts.size, media.id, media.hash, media.original_name
  from media_parts join media on media.id = media_parts.media_id order by media.id`
