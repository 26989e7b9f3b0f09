import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AppSettings } from '#contract/auth.ts'
import { health } from '#contract/health.ts'
import { rateLimits } from '#contract/limits.ts'
import { serveApiPage } from './api-page.ts'
import { auditRoutes } from './audit/routes.ts'
import { askForAvatar, handleAvatarJobs } from './auth/avatars.ts'
import { type SignInProvider, signInProvider } from './auth/configured.ts'
import { authRoutes } from './auth/routes.ts'
import { authenticate, endSessions, handleSessionJobs, isStillOpen, openAmong } from './auth/sessions.ts'
import { chatRoutes } from './chat/routes.ts'
import type { Config } from './config.ts'
import { isDatabaseAway, isDatabaseFull } from './db/database.ts'
import { folderRoutes } from './folders/routes.ts'
import { type House, openHouse } from './house.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { AppError } from './kit/errors.ts'
import { createHttp } from './kit/http.ts'
import type { LogStream } from './kit/log.ts'
import { memoryRateLimiter, type RateLimiter } from './kit/rate-limiter.ts'
import { guard, serveAnyone } from './kit/serve.ts'
import { liveRoutes } from './live/routes.ts'
import { handleIntegrityJobs } from './media/integrity.ts'
import { askToPrepare } from './media/prepare/orders.ts'
import { handlePrepareJobs } from './media/prepare/prepare.ts'
import { mediaRoutes } from './media/routes.ts'
import { handleTrashJobs } from './media/trash.ts'
import { openResumableUploads } from './media/upload/resumable.ts'
import { unfinishedInFolder } from './media/upload/unfinished-in-folder.ts'
import { noteRoutes } from './notes/routes.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { servePages } from './pages.ts'
import { peopleRoutes } from './people/routes.ts'
import { isDiskFull } from './storage/local/disk-errors.ts'
import { serveFiles } from './storage/local/serve.ts'
import { tagRoutes } from './tags/routes.ts'

export interface App {
  http: FastifyInstance
  close(): Promise<void>
}

/** Opens the house and furnishes it with every feature. It answers once it listens. */
export async function createApp(config: Config, options: { clock?: Clock; logTo?: LogStream } = {}): Promise<App> {
  const http = await createHttp({
    ...config,
    isAway: isDatabaseAway,
    isFull: error => isDatabaseFull(error) || isDiskFull(error),
    logTo: options.logTo,
  })
  const house = await openHouse(config, { clock: options.clock ?? systemClock, log: http.log })
  const close = async () => {
    await http.close()
    await house.close()
  }
  try {
    await furnish(http, house)
    await house.queue.start({ quick: 2, slow: 1 })
    return { http, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Every feature with its routes and its jobs. */
async function furnish(http: FastifyInstance, house: House): Promise<void> {
  const { config, clock, db, storage, signing } = house
  const limiter = memoryRateLimiter(rateLimits.window, clock)

  guard(http, { limiter, authenticate: token => authenticate({ db, clock }, token) })
  serveAnyone(http, health, async () => {
    await Promise.all([db.check(), storage.check()]).catch(cause => {
      throw new AppError('unavailable', 'Database or storage do not answer.', { cause })
    })
    return { status: 'ok' as const }
  })
  await furnishPeople(http, house, limiter)
  await furnishMedia(http, house)
  folderRoutes(http, { db, clock })
  tagRoutes(http, { db, clock })
  noteRoutes(http, { db, clock })
  notificationRoutes(http, { db, clock, title: config.title })
  auditRoutes(http, { db })
  chatRoutes(http, { db, clock, storage, avatarUrl: key => storage.signedUrl(key) })
  await liveRoutes(http, { db, openAmong: openAmong.bind(null, house) })

  serveFiles(http, { storage, signing })
  await serveApiPage(http, config.title)
  await servePages(http)
}

async function furnishPeople(http: FastifyInstance, house: House, limiter: RateLimiter): Promise<void> {
  const { config, clock, db, storage, queue } = house
  const signIn = signInProvider(config)
  const avatarUrl = (key: string) => storage.signedUrl(key)

  handleSessionJobs(queue, house)
  handleAvatarJobs(queue, house)
  await signIn.mount(http)
  await authRoutes(http, {
    db,
    clock,
    limiter,
    provider: signIn.provider,
    lists: signIn.lists,
    publicUrl: config.publicUrl,
    settings: settingsFor(config, signIn),
    avatarUrl,
    log: http.log,
    identified: (tx, person, account) => askForAvatar(queue, tx, person, account.pictureUrl),
  })
  peopleRoutes(http, { db, clock, avatarUrl, accessEnded: endSessions.bind(null, house) })
}

async function furnishMedia(http: FastifyInstance, house: House): Promise<void> {
  const { config, queue, tools, clock } = house
  const unfinished = await unfinishedInFolder(join(config.dataFolder, 'uploads'))
  const resumable = openResumableUploads({ unfinished, origin: config.publicUrl.origin, clock })
  const deps = {
    ...house,
    resumable,
    isSignedIn: isStillOpen.bind(null, house),
    trashDays: config.trashDays,
    prepare: askToPrepare.bind(null, queue),
    warnings: tools.warnings,
    waitingJobs: queue.countWaiting,
  }
  handlePrepareJobs(queue, house)
  handleTrashJobs(queue, deps)
  handleIntegrityJobs(queue, house)
  await mediaRoutes(http, deps)
}

function settingsFor(config: Config, { isDemo }: SignInProvider): AppSettings {
  const { title, contactName, adminName, uploadsUrl } = config
  return { title, contactName, adminName, uploadsUrl: uploadsUrl?.origin ?? null, demo: isDemo }
}
