import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AppSettings } from '#contract/auth.ts'
import { health } from '#contract/health.ts'
import { healthCheckLasts, rateLimits } from '#contract/limits.ts'
import { resumableUploadsPath, uploadMedia } from '#contract/upload.ts'
import { purgeAlbums } from './albums/albums.sql.ts'
import { albumRoutes } from './albums/routes.ts'
import { serveApiPage } from './api-page.ts'
import { auditRoutes } from './audit/routes.ts'
import { enqueueAvatarFetch, handleAvatarJobs } from './auth/avatars.ts'
import { type SignInProvider, signInProvider } from './auth/configured.ts'
import { ownRoutes } from './auth/own-routes.ts'
import { authRoutes } from './auth/routes.ts'
import {
  authenticate,
  endSessions,
  handleSessionJobs,
  isSessionValid,
  lostAccess,
  validSessions,
} from './auth/sessions.ts'
import { chatRoutes } from './chat/routes.ts'
import type { Config } from './config.ts'
import { type AppContext, createContext, isShared } from './context.ts'
import { isDatabaseFull, isDatabaseUnavailable } from './db/database.ts'
import { databaseRateLimiter } from './db/rate-limiter.sql.ts'
import { folderRoutes } from './folders/routes.ts'
import { handleGuestUploadJobs } from './guest-uploads/review.ts'
import { guestUploadRoutes } from './guest-uploads/routes.ts'
import { heartRoutes } from './hearts/routes.ts'
import { cachedResult } from './kit/cached-result.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { allowCors } from './kit/cors.ts'
import { AppError } from './kit/errors.ts'
import { createHttp } from './kit/http.ts'
import type { LogStream } from './kit/log.ts'
import { serveLoopbackOnly } from './kit/loopback-only.ts'
import { OpenRequests } from './kit/open-requests.ts'
import { memoryRateLimiter, type RateLimiter } from './kit/rate-limiter.ts'
import type { RequestTimes } from './kit/request-timeouts.ts'
import { registerSessionGuard, serveAnyone } from './kit/serve.ts'
import { endLinksOf, handleLinkJobs } from './links/links.ts'
import { linkRoutes } from './links/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { endRequestsWithSessions } from './live/session-ends.ts'
import type { Streams } from './live/streams.ts'
import { handleCleanUp } from './media/cleanup.ts'
import { handleIntegrityJobs } from './media/integrity.ts'
import { handleMemoryJobs } from './media/memories/notify.ts'
import { enqueuePrepare } from './media/prepare/jobs.ts'
import { handlePrepareJobs } from './media/prepare/prepare.ts'
import { type MediaDeps, mediaRoutes, uploadRoutes } from './media/routes.ts'
import { enqueueRemoveUploads, handleRemoveUploads } from './media/upload/remove-uploads.ts'
import { openResumableUploads } from './media/upload/resumable.ts'
import { unfinishedInFolder } from './media/upload/resumable-in-folder.ts'
import { unfinishedInStorage } from './media/upload/resumable-in-storage.ts'
import { databaseLocker } from './media/upload/uploads.sql.ts'
import { serveMetrics } from './metrics/metrics.ts'
import { overviewRoutes } from './metrics/overview.ts'
import { noteRoutes } from './notes/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { builtPageScripts, serveNoPages, servePages } from './pages.ts'
import { activateDemoAccounts, setProviderPicture } from './people/public.ts'
import { peopleRoutes } from './people/routes.ts'
import { placeRoutes } from './places/routes.ts'
import { startRoute } from './start.ts'
import { isDiskFull } from './storage/local/disk-errors.ts'
import { serveFiles } from './storage/local/serve.ts'
import { publicBase } from './storage/s3/presign.ts'
import { tagRoutes } from './tags/routes.ts'
import { usedTags } from './tags/tags.sql.ts'

export interface App {
  http: FastifyInstance
  close(): Promise<void>
}

interface AppOptions {
  clock?: Clock
  logTo?: LogStream
  requestTimes?: RequestTimes
}

/** Creates the context and registers every feature. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const http = await createHttp({
    ...config,
    filesOrigin: config.s3 && publicBase(config.s3).origin,
    uploadsOrigin: config.uploadsUrl?.origin,
    inlineScripts: builtPageScripts(),
    transcoderOrigin: config.transcoderCoreUrl?.origin,
    isUnavailable: isDatabaseUnavailable,
    isFull: error => isDatabaseFull(error) || isDiskFull(error),
    logTo: options.logTo,
    requestTimes: options.requestTimes,
  })
  if (!config.oidc) serveLoopbackOnly(http)
  const context = await createContext(config, { clock: options.clock ?? systemClock, log: http.log })
  const close = async () => {
    await http.close()
    await context.close()
  }
  try {
    await registerRoutes(http, context)
    if (worksOnJobs(config.role)) await context.queue.start({ quick: context.tools.filesAtOnce, slow: 1 })
    return { http, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Registers routes and jobs, depending on the role of this server. */
async function registerRoutes(http: FastifyInstance, context: AppContext): Promise<void> {
  const { config, clock, db } = context
  const { role } = config
  if (config.uploadsUrl) allowCors(http, config.publicUrl.origin, [uploadMedia.path, resumableUploadsPath])
  const limiter = config.databaseUrl
    ? databaseRateLimiter(db, rateLimits.window, clock)
    : memoryRateLimiter(rateLimits.window, clock)
  const openRequests = new OpenRequests()
  registerSessionGuard(http, {
    limiter,
    openRequests,
    authenticate: token => authenticate(context, token),
    lostAccess: token => lostAccess(context, token),
  })
  let liveConnections = () => 0
  await serveMetrics(http, { db, clock, token: config.metricsToken, liveConnections: () => liveConnections() })
  serveHealth(http, context)

  const media = await openMedia(context, openRequests)
  if (worksOnJobs(role)) handleJobs(context, media)
  if (role !== 'worker')
    await endRequestsWithSessions(http, { db, openRequests, validSessions: validSessions.bind(null, context) })
  if (role === 'uploads') await uploadRoutes(http, media)
  if (role === 'uploads' || role === 'worker') return serveNoPages(http)
  const streams = await registerFeatures(http, context, { limiter, media })
  liveConnections = () => streams.all().length
}

function worksOnJobs(role: Config['role']): boolean {
  return role === 'all' || role === 'worker'
}

function serveHealth(http: FastifyInstance, { db, storage, clock }: AppContext): void {
  // Cached, because the storage check writes a file and anyone may call this.
  const check = cachedResult(() => Promise.all([db.check(), storage.check()]), { ...healthCheckLasts, clock })
  serveAnyone(http, health, async () => {
    await check().catch(cause => {
      throw new AppError('unavailable', 'Database or storage do not answer.', { cause })
    })
    return { status: 'ok' as const }
  })
}

/** The routes of the web role. */
async function registerFeatures(
  http: FastifyInstance,
  context: AppContext,
  { limiter, media }: { limiter: RateLimiter; media: MediaDeps },
): Promise<Streams> {
  const { config, clock, db, storage, local, signing } = context
  await letPagesReadTheStore(http, context)
  const streams = await liveRoutes(http, { db, validSessions: validSessions.bind(null, context) })
  await registerPeople(http, context, { limiter, livePosition: () => streams.position })
  await mediaRoutes(http, media)
  startRoute(http, { db, clock, storage, livePosition: () => streams.position })
  folderRoutes(http, { db, clock, storage })
  albumRoutes(http, { db, clock, storage, trashDays: config.trashDays })
  placeRoutes(http, context)
  tagRoutes(http, { db, clock })
  heartRoutes(http, { db, clock })
  await linkRoutes(http, { ...context, limiter, publicUrl: config.publicUrl, title: config.title })
  await guestUploadRoutes(http, { ...media, limiter, publicUrl: config.publicUrl })
  noteRoutes(http, { db, clock, trashDays: config.trashDays })
  notificationRoutes(http, { db, clock, title: config.title })
  auditRoutes(http, { db })
  overviewRoutes(http, {
    db,
    clock,
    dataFolder: config.dataFolder,
    inStore: config.s3 !== undefined,
    sandboxLevel: context.tools.sandboxLevel,
  })
  chatRoutes(http, { db, clock, storage, avatarUrl: key => storage.signedUrl(key) })

  if (local) serveFiles(http, { storage: local, signing })
  await serveApiPage(http, config.title)
  await servePages(http)
  return streams
}

async function letPagesReadTheStore(http: FastifyInstance, { store, config }: AppContext): Promise<void> {
  const { origin } = config.publicUrl
  if (!store || (await store.allowOrigin(origin))) return
  http.log.error(
    `S3_ACCESS_KEY_ID may not set the CORS rules of the bucket. Allow GET and HEAD from ${origin} there, or pages cannot read the files they load.`,
  )
}

function handleJobs(context: AppContext, media: MediaDeps): void {
  const { queue } = context
  handleSessionJobs(queue, context)
  handleAvatarJobs(queue, { ...context, issuerOrigin: context.config.oidc?.issuer.origin })
  handlePrepareJobs(queue, context)
  handleCleanUp(queue, { ...media, purgeAlbums })
  handleRemoveUploads(queue, media)
  handleIntegrityJobs(queue, context)
  handleMemoryJobs(queue, context)
  handleLinkJobs(queue, context)
  handleGuestUploadJobs(queue, context)
}

async function registerPeople(
  http: FastifyInstance,
  context: AppContext,
  about: { limiter: RateLimiter; livePosition: () => string | undefined },
): Promise<void> {
  const { config, clock, db, storage, queue } = context
  const signIn = signInProvider(config)
  if (signIn.isDemo) await db.transaction(activateDemoAccounts)
  const avatarUrl = (key: string) => storage.signedUrl(key)

  await signIn.mount(http)
  await authRoutes(http, {
    db,
    clock,
    ...about,
    provider: signIn.provider,
    lists: signIn.lists,
    publicUrl: config.publicUrl,
    settings: settingsFor(config, signIn),
    avatarUrl,
    log: http.log,
    async identified(tx, person, account) {
      await setProviderPicture(tx, person.id, account.pictureUrl)
      await enqueueAvatarFetch(queue, tx, person, account.pictureUrl)
    },
  })
  ownRoutes(http, { ...context, limiter: about.limiter, issuerOrigin: config.oidc?.issuer.origin })
  peopleRoutes(http, {
    db,
    clock,
    avatarUrl,
    publicUrl: config.publicUrl,
    async accessEnded(tx, { personId, status, adminId }) {
      await endSessions(context, tx, personId, status)
      await enqueueRemoveUploads(queue, tx, personId)
      await endLinksOf(context, tx, personId, adminId)
    },
  })
}

async function openMedia(context: AppContext, openRequests: OpenRequests): Promise<MediaDeps> {
  const { config, queue, tools, clock, db, storage } = context
  const shared = isShared(config)
  const resumable = openResumableUploads({
    unfinished: shared
      ? unfinishedInStorage(storage, { clock })
      : await unfinishedInFolder(join(config.dataFolder, 'uploads'), clock),
    ...(shared ? { locker: databaseLocker(db, clock) } : {}),
    origin: config.publicUrl.origin,
    clock,
  })
  return {
    ...context,
    openRequests,
    resumable,
    isSignedIn: isSessionValid.bind(null, context),
    trashDays: config.trashDays,
    prepare: enqueuePrepare.bind(null, queue),
    warnings: tools.warnings,
    sandboxLevel: tools.sandboxLevel,
    waitingJobs: queue.countWaiting,
    usedTags,
  }
}

function settingsFor(config: Config, { isDemo }: SignInProvider): AppSettings {
  const { title, contactName, adminName, uploadsUrl, transcoderCoreUrl, trashDays } = config
  const elsewhere = { uploadsUrl: uploadsUrl?.origin ?? null, transcoderCoreUrl: transcoderCoreUrl?.href ?? null }
  return { title, contactName, adminName, ...elsewhere, trashDays, demo: isDemo }
}
