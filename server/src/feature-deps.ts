import { join } from 'node:path'
import { rateLimits } from '#contract/limits.ts'
import type { LiveEvent } from '#contract/live.ts'
import { openAppPasswords } from './auth/app-passwords.ts'
import type { AppPasswords } from './auth/public.ts'
import { isSessionValid } from './auth/sessions.ts'
import type { UndoKinds } from './changes/public.ts'
import { type AppContext, isShared } from './context.ts'
import { databaseRateLimiter } from './db/rate-limiter.sql.ts'
import type { Tx } from './db/schema.ts'
import type { AccessEnded, ExportedOfFile, Feature } from './feature.ts'
import { OpenRequests } from './kit/open-requests.ts'
import { memoryRateLimiter, type RateLimiter } from './kit/rate-limiter.ts'
import { createOutbox, type Outbox } from './mail/public.ts'
import { enqueuePrepare } from './media/prepare/jobs.ts'
import { fileCards, ZipSlots } from './media/public.ts'
import type { MediaDeps } from './media/routes.ts'
import { openResumableUploads } from './media/upload/resumable.ts'
import { unfinishedInFolder } from './media/upload/resumable-in-folder.ts'
import { unfinishedInStorage } from './media/upload/resumable-in-storage.ts'
import { databaseLocker } from './media/upload/uploads.sql.ts'
import type { AggregatedNotifications, Notified } from './notifications/public.ts'
import { emailsOfNamesakes } from './people/public.ts'
import { createNotified } from './push/public.ts'
import { usedTags } from './tags/tags.sql.ts'

/** What the composition root gives to all features; each names what it needs of it. */
export interface FeatureDeps extends AppContext, Omit<MediaDeps, 'config' | 'tools' | 'log'> {
  limiter: RateLimiter
  appPasswords: AppPasswords
  /** The open requests of guests, by their link. */
  guestRequests: OpenRequests
  /** The current position of the live stream, if known. */
  livePosition: () => string | undefined
  title: string
  publicUrl: URL
  dataFolder: string
  diskFile: string
  inStore: boolean
  issuerOrigin: string | undefined
  ffmpeg: AppContext['tools']['ffmpeg']
  avatarUrl: (key: string) => string
  /** Mails that are to be sent. */
  outbox: Outbox
  /** Sends new notifications to devices too. */
  notified: Notified
  /** The one push service that may be on this machine: that of the tests. */
  trustedPushOrigin: string | undefined
  smallPictures: (ids: readonly number[]) => ReturnType<typeof fileCards>
  emailsOfNamesakes: typeof emailsOfNamesakes
  /** Of all features together. */
  accessEnded: (tx: Tx, ended: AccessEnded) => Promise<void>
  undo: UndoKinds
  auditDays: number
  purges: readonly ((tx: Tx, before: number) => Promise<void>)[]
  changesSearches: ReadonlySet<LiveEvent['kind']>
  /** What features add to exports. */
  exported: readonly ExportedOfFile[]
  aggregated: AggregatedNotifications
}

export async function openFeatureDeps(
  context: AppContext,
  features: readonly Feature<FeatureDeps>[],
  {
    aggregated,
    livePosition,
    trustedPushOrigin,
  }: Pick<FeatureDeps, 'aggregated' | 'livePosition' | 'trustedPushOrigin'>,
): Promise<FeatureDeps> {
  const { config, queue, tools, clock, db, storage } = context
  const { title, publicUrl, trashDays, auditDays, dataFolder } = config
  const deps: FeatureDeps = {
    ...context,
    ...{ title, publicUrl, trashDays, auditDays, dataFolder, livePosition, usedTags, emailsOfNamesakes, aggregated },
    diskFile: join(dataFolder, 'disk-id'),
    trustedPushOrigin,
    limiter: config.databaseUrl
      ? databaseRateLimiter(db, rateLimits.window, clock)
      : memoryRateLimiter(rateLimits.window, clock),
    appPasswords: openAppPasswords(context),
    openRequests: new OpenRequests(),
    guestRequests: new OpenRequests(),
    resumable: await openResumable(context),
    isSignedIn: isSessionValid.bind(null, context),
    prepare: enqueuePrepare.bind(null, queue),
    warnings: tools.warnings,
    sandboxLevel: tools.sandboxLevel,
    ffmpeg: tools.ffmpeg,
    waitingJobs: queue.countWaiting,
    zipSlots: new ZipSlots(),
    inStore: config.s3 !== undefined,
    issuerOrigin: config.oidc?.issuer.origin,
    avatarUrl: key => storage.signedUrl(key),
    smallPictures: ids => fileCards(db.query, storage, ids),
    notified: createNotified({ queue }),
    outbox: createOutbox({ queue, clock, settings: config.mail }),
    undo: {},
    exported: features.flatMap(({ exported }) => exported ?? []),
    purges: features.flatMap(({ purge }) => purge ?? []),
    changesSearches: new Set(features.flatMap(({ changesSearches = [] }) => changesSearches)),
    async accessEnded(tx, ended) {
      for (const feature of features) await feature.accessEnded?.(deps, tx, ended)
    },
  }
  for (const feature of features) Object.assign(deps.undo, feature.undo?.(deps))
  return deps
}

async function openResumable(context: AppContext): Promise<MediaDeps['resumable']> {
  const { config, clock, db, storage } = context
  const shared = isShared(config)
  return openResumableUploads({
    unfinished: shared
      ? unfinishedInStorage(storage, { clock })
      : await unfinishedInFolder(join(config.dataFolder, 'uploads'), clock),
    ...(shared ? { locker: databaseLocker(db, clock) } : {}),
    origin: config.publicUrl.origin,
    clock,
  })
}
