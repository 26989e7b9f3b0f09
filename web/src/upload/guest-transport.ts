import type { CallInput } from '#contract/endpoint.ts'
import { finishSentFile, guestTusPath, listSentFiles, type SentFile } from '#contract/guest-uploads.ts'
import { requestUrl } from '#contract/request-url.ts'
import { ApiError, call } from '../kit/api.ts'
import { incompleteText } from '../media/incomplete-text.ts'
import { guestTexts as texts } from './guest-texts.ts'
import type { PartRole } from './pending-uploads-db.ts'
import { retryUntilOnline } from './retry.ts'
import { ProgressMeter, sendPart } from './send-upload.ts'
import { ItemError, type Step, type Transport, UploadsClosedError } from './upload-batch.ts'
import { totalSize, type UploadItem } from './upload-items.ts'

/** Guests' files are sent by a link as they are. Guests never learn what the library has, so nothing is compared. */
export function createGuestTransport(linkId: number): Transport {
  return {
    sendsAtOnce: true,
    pauseBetweenFiles: 0,
    async send(item, _prepared, step) {
      try {
        return await sendFile(linkId, item, step)
      } catch (error) {
        if (hasStatus(error, 404) && (await hasEnded(linkId))) throw new UploadsClosedError()
        step.signal.throwIfAborted()
        if (isSessionEnd(error) || hasStatus(error, 415)) throw error
        throw new ItemError(error instanceof Error ? error.message : texts.failed, null, { cause: error })
      }
    },
    isSessionEnd,
  }
}

/** The browser has to open the link again. */
function isSessionEnd(error: unknown): boolean {
  return hasStatus(error, 403)
}

async function sendFile(linkId: number, item: UploadItem, step: Step): Promise<Partial<UploadItem>> {
  const known = await finishArrived(linkId, item, step)
  if (known) return known
  const { file, motion } = item
  const options = { ...step, host: '', path: requestUrl(guestTusPath, { id: linkId }, {}) }
  const meter = new ProgressMeter(totalSize(item), options)
  await sendPart('original', file, options, meter)
  if (motion) await sendPart('motion', motion, options, meter)
  // Else a page that is reloaded while the file is handed over would send it again: no hash tells that it has arrived.
  await step.saved()
  return finish(linkId, item, step)
}

/** An earlier visit may have ended between the last byte and the answer: such a file must not be sent twice. */
async function finishArrived(linkId: number, item: UploadItem, step: Step): Promise<Partial<UploadItem> | undefined> {
  if (!step.resumeUrls.has('original') || (item.motion && !step.resumeUrls.has('motion'))) return undefined
  try {
    return await finish(linkId, item, step)
  } catch (error) {
    // Bytes are missing, or the server has deleted the expired upload.
    if (hasStatus(error, 409) || hasStatus(error, 404)) return undefined
    throw error
  }
}

/** The same calls again change nothing. */
async function finish(linkId: number, { file, motion }: UploadItem, step: Step): Promise<Partial<UploadItem>> {
  const arrived = (role: PartRole, { name, lastModified }: File) => {
    const uploadId = step.resumeUrls.get(role)?.split('/').at(-1) ?? ''
    return { uploadId, originalName: name, lastModified }
  }
  const handOver = (body: CallInput<typeof finishSentFile>['body']) =>
    retryUntilOnline(() => call(finishSentFile, { params: { id: linkId }, body }, step.signal), step)
  const clip = motion && arrived('motion', motion)
  const { with_clip, ...sent } = await handOver({ ...arrived('original', file), ...(clip && { clip }) })
  let missing = missingOf(sent)
  // The clip is no part of this photo, so it is a file of its own.
  if (clip && !with_clip) {
    try {
      // Handed over in any case, also if the photo is incomplete.
      const missingOfClip = missingOf(await handOver(clip))
      missing ??= missingOfClip
    } catch (error) {
      if (!hasStatus(error, 415)) throw error
      missing ??= texts.clipRefused({ clip: clip.originalName })
    }
  }
  return { status: 'success', incomplete: missing }
}

function missingOf({ size, incomplete }: SentFile): string | null {
  return incomplete && incompleteText(size, incomplete)
}

/** A 404 may also be about one upload that has expired. */
async function hasEnded(linkId: number): Promise<boolean> {
  try {
    await call(listSentFiles, { params: { id: linkId }, query: { limit: 1 } })
    return false
  } catch (error) {
    return hasStatus(error, 404)
  }
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status
}
