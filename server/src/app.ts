import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { AppSettings } from '#contract/auth.ts'
import { health } from '#contract/health.ts'
import { rateLimits } from '#contract/limits.ts'
import { type SignInProvider, signInProvider } from './auth/configured.ts'
import { authRoutes } from './auth/routes.ts'
import { authenticate, endSessions, handleSessionJobs } from './auth/sessions.ts'
import type { Config } from './config.ts'
import { connect, type Database, isDatabaseAway } from './db/database.ts'
import { installationSecret } from './db/secrets.ts'
import { lockFolder } from './db/sqlite/folder-lock.ts'
import { createQueue, type Queue } from './jobs/queue.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { AppError } from './kit/errors.ts'
import { createHttp } from './kit/http.ts'
import type { LogStream } from './kit/log.ts'
import { memoryRateLimiter } from './kit/rate-limiter.ts'
import { guard, serveAnyone } from './kit/serve.ts'
import { serveApiPage, servePages } from './pages.ts'
import { peopleRoutes } from './people/routes.ts'
import { type LocalStorage, openLocalStorage } from './storage/local/local-storage.ts'
import { serveFiles } from './storage/local/serve.ts'
import { createSigning, type Signing } from './storage/signing.ts'

export interface App {
  http: FastifyInstance
  /** Ends everything in order; what is unfinished is left so that the next start goes on with it. */
  close(): Promise<void>
}

/** Everything that features are built from. */
interface House {
  config: Config
  clock: Clock
  db: Database
  signing: Signing
  storage: LocalStorage
  queue: Queue
  http: FastifyInstance
}

/** Puts the house together. It answers once it listens. */
export async function createApp(config: Config, options: { clock?: Clock; logTo?: LogStream } = {}): Promise<App> {
  const clock = options.clock ?? systemClock
  const unlock = lockFolder(config.dataFolder)
  const opened: (() => Promise<void>)[] = [async () => unlock()]
  const close = async () => {
    for (const end of opened.reverse()) await end()
  }
  try {
    const db = await connect({ url: config.databaseUrl, dataFolder: config.dataFolder })
    opened.push(() => db.close())
    const signing = createSigning({ secret: await installationSecret(db, 'file-signing'), clock })
    const storage = await openLocalStorage({ folder: join(config.dataFolder, 'files'), signing })
    const http = await createHttp({ ...config, isAway: isDatabaseAway, logTo: options.logTo })
    const queue = createQueue(db, clock, http.log)
    opened.push(() => queue.stop())
    opened.push(() => http.close())
    await storage.sweepTemporaryFiles()
    await furnish({ config, clock, db, signing, storage, queue, http })
    await queue.start({ quick: 2, slow: 1 })
    return { http, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Every feature with its routes and its jobs. */
async function furnish({ config, clock, db, signing, storage, queue, http }: House): Promise<void> {
  const limiter = memoryRateLimiter(rateLimits.window, clock)
  const signIn = signInProvider(config)
  const avatarUrl = (key: string) => storage.signedUrl(key)

  guard(http, { limiter, authenticate: token => authenticate({ db, clock }, token) })
  serveAnyone(http, health, async () => {
    await Promise.all([db.check(), storage.check()]).catch(cause => {
      throw new AppError('unavailable', 'Database or storage do not answer.', { cause })
    })
    return { status: 'ok' as const }
  })

  handleSessionJobs(queue, { db, clock })
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
    identified: async () => {},
    sessionEnded: () => {},
  })
  peopleRoutes(http, { db, clock, avatarUrl, accessEnded: endSessions })

  serveFiles(http, { storage, signing })
  await serveApiPage(http, config.title)
  await servePages(http)
}

function settingsFor(config: Config, { isDemo }: SignInProvider): AppSettings {
  return { title: config.title, contactName: config.contactName, adminName: config.adminName, demo: isDemo }
}
