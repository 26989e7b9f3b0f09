import type { Answer } from '#contract/endpoint.ts'
import { zips } from '#contract/limits.ts'
import { type orderZip as orderZipEndpoint, zipPath } from '#contract/media.ts'
import type { Handle } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import type { RequestSession } from '../../kit/open-requests.ts'
import { hashToken, newToken } from '../../kit/tokens.ts'
import { downloadName } from '../../storage/download-name.ts'
import type { Storage } from '../../storage/storage.ts'
import { noSuchFile } from '../edit.ts'
import { type Archive, type ArchivedFile, archiveOf } from './archive.ts'
import { findZipFiles, type ZippedPart } from './files.sql.ts'
import { createUniqueNames } from './names.ts'
import { findOrder, insertOrder } from './orders.sql.ts'

export interface ZipDeps {
  db: { query: Handle }
  storage: Storage
  clock: Clock
  isSignedIn(session: RequestSession): Promise<boolean>
}

/** Notes which files are wanted: too many to stand in an address, which is all that a browser brings to a download. */
export async function orderZip(
  { db, clock }: ZipDeps,
  { id: personId, sessionId }: RequestSession,
  ids: readonly number[],
): Promise<Answer<typeof orderZipEndpoint>> {
  const parts = await findZipFiles(db.query, ids)
  const originals = parts.filter(part => part.kind === 'original')
  if (originals.length === 0) throw noSuchFile()
  const token = newToken()
  await insertOrder(db.query, {
    tokenHash: hashToken(token),
    personId,
    sessionId,
    fileIds: originals.map(part => part.media_id),
    orderedAt: clock(),
  })
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  return { url: `${zipPath}?order=${token}`, file_count: originals.length, size }
}

/** The archive that was ordered, read as it is sent, and the session that it depends on. */
export async function openZip(
  { db, storage, clock, isSignedIn }: ZipDeps,
  token: string,
): Promise<Archive & { session: RequestSession }> {
  const order = await findOrder(db.query, hashToken(token))
  const session = order && { id: order.personId, sessionId: order.sessionId }
  // Only while the session that ordered it lasts.
  if (!order || !session || clock() - order.orderedAt > zips.orderLasts || !(await isSignedIn(session))) {
    throw new AppError('forbidden', 'This link is no longer valid. Please choose the files again.')
  }
  const parts = await findZipFiles(db.query, order.fileIds)
  if (parts.length === 0) throw noSuchFile()
  const nameFor = createUniqueNames()
  const archive = archiveOf(
    parts.map(
      (part): ArchivedFile => ({
        name: nameFor(nameOf(part)),
        size: part.size,
        wallClock: part.date_sort,
        open: async () => (await storage.read(part.key)).stream,
      }),
    ),
  )
  return { ...archive, session }
}

/** A Live Photo's clip stands beside its still, as phones name them: IMG_1.HEIC and IMG_1.MOV. */
function nameOf({ kind, original_name, key }: ZippedPart): string {
  if (kind === 'original') return downloadName(original_name, key)
  const extension = key.slice(key.lastIndexOf('.'))
  return original_name.replace(/(\.[^.]*)?$/, extension)
}
