import type { MediaRow, NewMedia, PartKind, Tx } from '../../db/schema.ts'
import type { SafePath } from '../../kit/safe-path.ts'
import { announceFiles } from '../announce.ts'
import { storeThenCommit } from '../keep.ts'
import { keyStemOf, partKey } from '../keys.ts'
import { clearPending, markForRemoval } from '../loose-keys.sql.ts'
import { deleteParts, insertParts, part, updateMedia } from '../media.sql.ts'
import { updateSearchText } from '../refresh-words.ts'
import type { PrepareDeps } from './orders.ts'

export interface MadePart {
  name: PartKind
  path: SafePath
  size: number
  mime: string
  extension: string
  width: number | null
  height: number | null
}

/** The columns of a file that is wholly prepared. */
export const readyColumns = { status: 'ready', progress: null, failure_reason: null, failed_at: null } as const

/** Puts made parts in the place of older ones of their kind, together with what was learned, in one transaction. */
export async function storeParts(
  deps: PrepareDeps,
  media: MediaRow,
  made: MadePart[],
  change: Partial<NewMedia>,
  also: (tx: Tx) => Promise<void> = async () => {},
): Promise<void> {
  const { db, clock } = deps
  const original = await part(db.query, media.id, 'original')
  if (!original) return
  const version = media.version + 1
  const parts = made.map(picture => ({
    media_id: media.id,
    kind: picture.name,
    key: partKey(keyStemOf(original.key), picture.name, version, picture.extension),
    size: picture.size,
    mime_type: picture.mime,
    width: picture.width,
    height: picture.height,
    path: picture.path,
  }))
  await storeThenCommit(deps, parts, () =>
    db.transaction(async tx => {
      const replaced = await deleteParts(
        tx,
        media.id,
        made.map(picture => picture.name),
      )
      await markForRemoval(tx, replaced, clock())
      await insertParts(
        tx,
        parts.map(({ path, ...row }) => row),
      )
      await clearPending(
        tx,
        parts.map(row => row.key),
      )
      await updateMedia(tx, media.id, { ...change, ...(made.length > 0 ? { version } : {}) })
      // The name may have changed since the job began: the words are made of what stands in the row now.
      await updateSearchText(tx, media.id)
      await also(tx)
      await announceFiles(db, tx, [media.id])
    }),
  )
}
