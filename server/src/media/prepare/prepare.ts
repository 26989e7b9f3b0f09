import type { PartKind, Tx } from '../../db/schema.ts'
import { type JobRun, PermanentFailure, type Queue } from '../../jobs/queue.ts'
import { ProcessingError } from '../../processing/errors.ts'
import { announceFiles } from '../announce.ts'
import { isFromGuest } from '../guest-files.sql.ts'
import { findMedia, findPart, updateMedia } from '../media.sql.ts'
import { prepareImage, rotateImage } from './image.ts'
import {
  convertCompatible,
  convertMotion,
  convertVideo,
  copyForGuests,
  type FileTask,
  type PrepareDeps,
  preparePictures,
  rotatePictures,
} from './jobs.ts'
import { prepareEmbeddedMotion, prepareMotion } from './motion.ts'
import { compatibleFailed, convert, copyWithoutMetadata, makeCompatible, prepareVideo } from './video.ts'

export function handlePrepareJobs(queue: Queue, deps: PrepareDeps): void {
  queue.handle(preparePictures, {
    run: ({ mediaId }, run) =>
      withPart(deps, { mediaId, kind: 'original' }, run, task =>
        task.media.file_type === 'image' ? prepareImage(deps, task) : prepareVideo(deps, task),
      ),
    onFailed: (tx, { mediaId }, reason) => markFailed(deps, tx, mediaId, reason),
  })
  // No failure handler: the variants stay as they are, and the viewer turns them.
  queue.handle(rotatePictures, {
    run: ({ mediaId }, run) => withPart(deps, { mediaId, kind: 'original' }, run, task => rotateImage(deps, task)),
  })
  queue.handle(convertVideo, {
    run: ({ mediaId }, run) => withPart(deps, { mediaId, kind: 'original' }, run, task => convert(deps, task)),
    onFailed: (tx, { mediaId }, reason) => markFailed(deps, tx, mediaId, reason),
  })
  queue.handle(convertCompatible, {
    run: ({ mediaId }, run) => withPart(deps, { mediaId, kind: 'original' }, run, task => makeCompatible(deps, task)),
    onFailed: (tx, { mediaId }, reason) => compatibleFailed(deps, tx, mediaId, reason),
  })
  // No failure handler: guests see that this video is not ready.
  queue.handle(copyForGuests, {
    run: async ({ mediaId }, run) => {
      const compatible = await findPart(deps.db.query, mediaId, 'compatible')
      const shown = (await findMedia(deps.db.query, mediaId))?.shown_part
      if (!compatible && !shown) return
      const kind = compatible ? 'compatible' : (shown ?? 'original')
      await withPart(deps, { mediaId, kind }, run, task => copyWithoutMetadata(deps, task))
    },
  })
  // No failure handler: a clip that cannot be converted stays as uploaded, and the photo is shown without it.
  queue.handle(convertMotion, {
    run: async ({ mediaId }, run) => {
      const kind = (await findPart(deps.db.query, mediaId, 'motion')) ? 'motion' : 'original'
      const prepare = kind === 'motion' ? prepareMotion : prepareEmbeddedMotion
      await withPart(deps, { mediaId, kind }, run, task => prepare(deps, task))
    },
  })
}

/** Does nothing if the file has been purged. Permanent errors are not retried. */
async function withPart(
  { db, storage, scratch }: PrepareDeps,
  { mediaId, kind }: { mediaId: number; kind: PartKind },
  { signal }: JobRun,
  work: (task: FileTask) => Promise<void>,
): Promise<void> {
  const media = await findMedia(db.query, mediaId)
  const found = media && (await findPart(db.query, mediaId, kind))
  if (!media || !found) return
  const fromGuest = await isFromGuest(db.query, media)
  try {
    await storage.withLocalCopy(found.key, path =>
      scratch.withFolder(folder => work({ media, path, folder, signal, fromGuest })),
    )
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ProcessingError && !error.isRetryable)
      throw new PermanentFailure(error.message, { cause: error })
    throw error
  }
}

async function markFailed({ db, clock }: PrepareDeps, tx: Tx, mediaId: number, reason: string): Promise<void> {
  const media = await findMedia(tx, mediaId)
  // The client's variants stay visible even if the original cannot be processed.
  if (media?.status !== 'processing') return
  await updateMedia(tx, mediaId, { status: 'failed', progress: null, failure_reason: reason, failed_at: clock() })
  await announceFiles(db, tx, [mediaId])
}
