import type { Handle, MediaRow, Tx } from '../../db/schema.ts'
import type { UploadId } from './upload-id.ts'

export async function findFinishedUpload(handle: Handle, uploadId: UploadId): Promise<MediaRow | undefined> {
  return handle
    .selectFrom('finished_uploads')
    .innerJoin('media', 'media.id', 'finished_uploads.media_id')
    .selectAll('media')
    .where('finished_uploads.upload_id', '=', uploadId)
    .where('media.deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function insertFinishedUpload(
  handle: Handle,
  uploadId: UploadId,
  mediaId: number,
  now: number,
): Promise<void> {
  await handle
    .insertInto('finished_uploads')
    .values({ upload_id: uploadId, media_id: mediaId, finished_at: now })
    .onConflict(conflict => conflict.column('upload_id').doNothing())
    .execute()
}

export async function deleteFinishedUploads(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('finished_uploads').where('finished_at', '<', before).execute()
}
