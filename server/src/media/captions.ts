import { z } from 'zod'
import { asName, isVisible } from '#contract/common.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { lengths } from '#contract/limits.ts'
import type { captionMedia } from '#contract/media.ts'
import { recordChange, type UndoKind } from '../changes/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { announceFiles } from './announce.ts'
import { type EditDeps, noSuchFile } from './edit.ts'
import { lockActiveMediaRow, updateMedia, updateSearchText } from './media.sql.ts'

/** Stores what a person wrote about a file. From then on it counts more than what is in the file. */
export async function captionFile(
  { db, clock }: EditDeps,
  actorId: number,
  id: number,
  { caption, expected }: ParsedInput<typeof captionMedia>['body'],
): Promise<{ media: MediaRow; change_id: number | null }> {
  return db.transaction(async tx => {
    const media = await lockActiveMediaRow(db, tx, id)
    if (!media) throw noSuchFile()
    const written = orNull(caption)
    if (expected !== undefined && media.caption !== orNull(expected) && media.caption !== written) {
      throw media.caption === null
        ? new AppError('conflict', 'files.captionRemovedSince')
        : new AppError('conflict', 'files.captionedSince', { caption: media.caption })
    }
    if (media.caption === written) return { media, change_id: null }
    const columns = { caption: written, caption_source: 'person' } as const
    await storeCaption(db, tx, id, columns)
    const before = { caption: media.caption, source: media.caption_source }
    const files = [{ id, file_type: media.file_type, before }]
    const change = { act: 'media.caption', field: 'caption', actorId, at: clock(), files } as const
    return { media: { ...media, ...columns }, change_id: await recordChange(tx, change) }
  })
}

function orNull(caption: string | null): string | null {
  return caption !== null && isVisible(caption) ? caption : null
}

type CaptionColumns = Pick<MediaRow, 'caption' | 'caption_source'>

async function storeCaption(db: Database, tx: Tx, id: number, columns: CaptionColumns): Promise<void> {
  await updateMedia(tx, id, columns)
  await updateSearchText(tx, id)
  await announceFiles(db, tx, [id])
}

const CaptionBefore = z.object({ caption: z.string().nullable(), source: z.enum(['person', 'photo']).nullable() })

/** Captions are written one at a time. */
export function undoCaption({ db }: Pick<EditDeps, 'db'>): UndoKind {
  return async (tx, { fileIds: [id = 0], filesBefore }) => {
    const media = await lockActiveMediaRow(db, tx, id)
    const before = (await filesBefore([id])).get(id)
    if (!media || before === undefined) return []
    const { caption, source } = CaptionBefore.parse(before)
    await storeCaption(db, tx, id, { caption, caption_source: source })
    return [id]
  }
}

/** The first line of what a file or its sidecar says, as a caption. Null: nothing that can be read. */
export function captionOf(description: string | null): string | null {
  const [line = ''] = (description ?? '').split(/[\r\n]/).filter(isVisible)
  const caption = asName(line)
    .slice(0, lengths.caption)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .trim()
  return isVisible(caption) ? caption : null
}

/** For a file that has none yet, and of which nobody has removed it. */
export async function storeFoundCaption({ db }: Pick<EditDeps, 'db'>, id: number, caption: string): Promise<void> {
  await db.transaction(async tx => {
    const media = await lockActiveMediaRow(db, tx, id)
    if (media?.caption !== null || media.caption_source !== null) return
    await storeCaption(db, tx, id, { caption, caption_source: 'photo' })
  })
}
