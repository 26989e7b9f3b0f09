import type { InboxFailure } from '#contract/source-folders.ts'
import { type StoreFromDiskDeps, storeFromDisk, Unreadable } from '../cli/import/store-from-disk.ts'
import { type FoundEntry, isLivePhoto, type TreeFile, walk } from '../cli/import/walk.ts'
import { isDatabaseUnavailable } from '../db/database.ts'
import { type FolderFinder, openFolderFinder } from '../folders/public.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { pathBelow, type RootFolder } from '../kit/safe-path.ts'
import { ProcessingError } from '../processing/errors.ts'
import { isDiskFull } from '../storage/local/disk-errors.ts'
import { createInboxReport, type InboxReporter } from './inbox-report.ts'
import { moveInto, setAside } from './moves.ts'
import { ownerOfFolders } from './owner.sql.ts'
import { fingerprintOf, openRoot, pathOfName } from './paths.ts'

export interface InboxDeps extends Omit<StoreFromDiskDeps, 'uploaderId' | 'signal'> {}

const EVERY_MS = 10_000
/** A file whose size and time have not changed for this long is complete. */
const COMPLETE_AFTER_MS = 60_000
const ATTEMPTS = 3
const RETRY_AFTER_MS = 5 * 60_000

/** Polled, because network disks report no changes. Queued, so that one of several servers does it. */
const pollInbox = defineJob<null>('source-folders.inbox', { lane: 'folders', everyMs: EVERY_MS })

export function handleInbox(queue: Queue, deps: InboxDeps): void {
  const { inboxFolder } = deps.config
  if (inboxFolder === undefined) return
  const poll = createInbox(deps, inboxFolder)
  queue.handle(pollInbox, { run: (_payload, { signal }) => poll(signal) })
}

interface Seen {
  fingerprint: string
  since: number
  attempts: number
}

interface Polling extends StoreFromDiskDeps {
  root: RootFolder
  folderFor: FolderFinder
  report: InboxReporter
}

/** Nothing can be stored now, whichever file it is. */
class Stopped extends Error {}

/** Stores what lies in the folder and is complete, by the same code as an import, and moves it to `done` or `failed`. */
export function createInbox(deps: InboxDeps, folder: string): (signal: AbortSignal) => Promise<void> {
  const { db, clock, config } = deps
  // In memory: after a restart, or on another server, a file waits for another minute.
  const seen = new Map<string, Seen>()
  const report = createInboxReport(deps, folder)

  /** Whether the file has not changed for a while. */
  async function isComplete(found: FoundEntry): Promise<boolean> {
    const paths = pathsOf(found)
    const key = paths.at(-1) ?? ''
    const fingerprint = await fingerprintOf(paths)
    const before = seen.get(key)
    if (fingerprint === undefined || before?.fingerprint !== fingerprint) {
      if (fingerprint === undefined) seen.delete(key)
      else seen.set(key, { fingerprint, since: clock(), attempts: 0 })
      return false
    }
    return clock() - before.since >= COMPLETE_AFTER_MS
  }

  async function take(polling: Polling, found: FoundEntry): Promise<void> {
    const key = pathsOf(found).at(-1) ?? ''
    const known = seen.get(key)
    try {
      await takeFound(polling, found)
      seen.delete(key)
    } catch (error) {
      polling.signal.throwIfAborted()
      if (error instanceof Stopped) throw error
      if (!known || ++known.attempts >= ATTEMPTS) {
        await giveUp(polling, pathsOf(found), 'unreadable', error)
        seen.delete(key)
        return
      }
      deps.log.error({ err: error }, 'a file of the inbox folder could not be stored')
      known.since = clock() + RETRY_AFTER_MS - COMPLETE_AFTER_MS
    }
  }

  return async signal => {
    const root = await openRoot(folder)
    if (!root) {
      seen.clear()
      return report.end({ state: 'absent' })
    }
    const uploaderId = await ownerOfFolders(db.query, config.foldersOwner)
    if (uploaderId === undefined) return report.end({ state: 'no_owner' })
    let finder: Promise<FolderFinder> | undefined
    const folderFor: FolderFinder = async folders => {
      finder ??= openFolderFinder(deps, uploaderId)
      return (await finder)(folders)
    }
    const polling = { ...deps, uploaderId, signal, root, folderFor, report }
    const leaveOut = [pathBelow(root, 'done'), pathBelow(root, 'failed')]
    const present = new Set<string>()
    let waiting = 0
    try {
      for await (const found of walk(root, { leaveOut, signal })) {
        if ('skipped' in found && found.skipped === 'hidden') continue
        const key = pathsOf(found).at(-1) ?? ''
        if (await isComplete(found)) await take(polling, found)
        if (seen.has(key)) {
          present.add(key)
          waiting++
        }
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Stopped)) throw error
      return report.end({ state: 'failing', problem: error.message, waiting: Math.max(waiting, 1) })
    }
    for (const path of seen.keys()) if (!present.has(path)) seen.delete(path)
    await report.end({ state: 'ready', waiting })
  }
}

/**
 * All paths of what was found, the file itself last: it is moved last, so that what a killed server leaves behind is
 * found to be a duplicate.
 */
function pathsOf(found: FoundEntry): string[] {
  if (!('file' in found)) return [found.path]
  const { clip, sidecar, path } = found.file
  return [...(clip ? pathsOf({ file: clip }) : []), ...(sidecar === undefined ? [] : [sidecar]), path]
}

async function takeFound(polling: Polling, found: FoundEntry): Promise<void> {
  if (!('file' in found)) {
    const reasons = { link: 'link', special: 'special', hidden: 'special', unreadable: 'unreadable' } as const
    return giveUp(polling, [found.path], reasons[found.skipped], 'reason' in found ? found.reason : undefined)
  }
  const { clip, ...file } = found.file
  if (!clip) return takeFile(polling, file)
  if (await isLivePhoto(polling, file, clip)) return takeFile(polling, found.file)
  await takeFile(polling, file)
  await takeFile(polling, clip)
}

async function takeFile(polling: Polling, file: TreeFile): Promise<void> {
  const { root, folderFor } = polling
  const paths = pathsOf({ file })
  if (paths.some(path => pathOfName(root, path.slice(root.length + 1)) === undefined)) {
    return giveUp(polling, paths, 'name')
  }
  const before = await fingerprintOf(paths)
  // Changed since the folder was listed: it is looked at again later.
  if (before === undefined) return
  const whenRead = async () => {
    if ((await fingerprintOf(paths)) !== before) throw new Unreadable('The file changed while it was being read.')
    return folderFor(file.folders)
  }
  const result = await storeFromDisk(polling, file, whenRead).catch(error => {
    polling.signal.throwIfAborted()
    if (stopsEverything(error)) throw new Stopped((error as Error).message, { cause: error })
    if (isAboutTheFile(error)) return error
    throw error
  })
  if (result instanceof Error) return giveUp(polling, paths, 'unreadable', result)
  if (result === 'not a photo or video') return giveUp(polling, paths, 'not_media')
  if (result === 'sound without a picture') return giveUp(polling, paths, 'audio_only')
  if ((await fingerprintOf(paths)) !== before) return
  for (const path of paths) await moving(moveInto(root, 'done', path))
}

async function giveUp(
  { root, clock, report }: Polling,
  paths: readonly string[],
  reason: InboxFailure['reason'],
  cause?: unknown,
): Promise<void> {
  const text = sentences[reason] + (cause instanceof Error ? ` (${cause.message})` : '')
  const name = await moving(setAside(root, paths, text))
  report.failed({ name, reason, text, at: toIso(clock()) })
}

const sentences: Record<InboxFailure['reason'], string> = {
  not_media: 'This is neither a photo nor a video that Heirloom knows.',
  audio_only: 'This has sound, but no picture.',
  link: 'This is a link, and links are not followed.',
  special: 'This is not an ordinary file.',
  name: 'The name of this file is too long or has characters that cannot be used. Rename it and put it back.',
  unreadable: 'This file could not be read.',
}

/** A folder in which nothing can be moved would be stored again and again. */
async function moving<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (cause) {
    throw new Stopped(`Files cannot be moved to done and failed: ${(cause as Error).message}`, { cause })
  }
}

function stopsEverything(error: unknown): boolean {
  if (isDatabaseUnavailable(error) || isDiskFull(error)) return true
  return error instanceof AppError && ['storage_full', 'unavailable', 'not_signed_in'].includes(error.code)
}

function isAboutTheFile(error: unknown): boolean {
  if (error instanceof ProcessingError) return !error.isRetryable
  return error instanceof Unreadable || (error instanceof AppError && error.status < 500)
}
