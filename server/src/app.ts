import type { FastifyInstance } from 'fastify'
import { health } from '#contract/health.ts'
import { anonymousCosts, healthCheckTtl, statementTimeout } from '#contract/limits.ts'
import { resumableUploadsPath, uploadMedia } from '#contract/upload.ts'
import { serveApiPage } from './api-page.ts'
import { authenticate, endOfSession, validSessions } from './auth/sessions.ts'
import type { Config } from './config.ts'
import { type AppContext, createContext } from './context.ts'
import { isDatabaseFull, isDatabaseUnavailable } from './db/database.ts'
import { openFeatureDeps } from './feature-deps.ts'
import { aggregatedNotifications, features } from './features.ts'
import { cachedResult } from './kit/cached-result.ts'
import { type Clock, systemClock } from './kit/clock.ts'
import { allowCors } from './kit/cors.ts'
import { CostLimiter } from './kit/cost-limiter.ts'
import { AppError } from './kit/errors.ts'
import { createHttp } from './kit/http.ts'
import type { LogStream } from './kit/log.ts'
import { serveLoopbackOnly } from './kit/loopback-only.ts'
import { limitReads } from './kit/read-limits.ts'
import type { RequestTimes } from './kit/request-timeouts.ts'
import { registerSessionGuard, serveAnyone } from './kit/serve.ts'
import { isAppPassword } from './kit/tokens.ts'
import { limitUnreadResponses } from './kit/unread-responses.ts'
import { liveRoutes } from './live/routes.ts'
import { endRequestsWithSessions } from './live/session-ends.ts'
import type { Streams } from './live/streams.ts'
import type { ToolsOptions } from './media/prepare/tools.ts'
import { uploadRoutes } from './media/routes.ts'
import { serveMetrics } from './metrics/metrics.ts'
import { builtPageScripts, serveNoPages, servePages } from './pages.ts'
import { startRoute } from './start.ts'
import { isDiskFull } from './storage/local/disk-errors.ts'
import { serveFiles } from './storage/local/serve.ts'
import { publicBase } from './storage/s3/presign.ts'

export interface App {
  http: FastifyInstance
  close(): Promise<void>
}

interface AppOptions extends Pick<ToolsOptions, 'findPackagedFfmpeg'> {
  clock?: Clock
  logTo?: LogStream
  requestTimes?: RequestTimes
  statementTimeout?: number
  /** A push service of tests on this machine. No configuration can name one. */
  trustedPushOrigin?: string
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
  limitReads(http, options.statementTimeout ?? statementTimeout)
  const context = await createContext(config, { clock: systemClock, ...options, log: http.log })
  const close = async () => {
    await http.close()
    await context.close()
  }
  try {
    await registerRoutes(http, context, options.trustedPushOrigin)
    if (worksOnJobs(config.role))
      await context.queue.start({ quick: context.tools.filesAtOnce, slow: 1, mail: 1, push: 2, folders: 3, import: 1 })
    return { http, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Registers routes and jobs, depending on the role of this server. */
async function registerRoutes(
  http: FastifyInstance,
  context: AppContext,
  trustedPushOrigin: string | undefined,
): Promise<void> {
  const { config, clock, db } = context
  const { role } = config
  let streams: Streams | undefined
  const deps = await openFeatureDeps(context, features, {
    aggregated: aggregatedNotifications,
    livePosition: () => streams?.position,
    trustedPushOrigin,
  })
  const { limiter, openRequests } = deps
  if (config.uploadsUrl) allowCors(http, config.publicUrl.origin, [uploadMedia.path, resumableUploadsPath])
  registerSessionGuard(http, {
    limiter,
    anonymousCosts: new CostLimiter(anonymousCosts, clock),
    openRequests,
    authenticate: (token, address) =>
      isAppPassword(token) ? deps.appPasswords.check(token, address) : authenticate(context, token),
    endOfSession: token => endOfSession(context, token),
  })
  limitUnreadResponses(http)
  const liveConnections = () => streams?.all().length ?? 0
  await serveMetrics(http, { db, clock, token: config.metricsToken, liveConnections })
  serveHealth(http, context)

  if (worksOnJobs(role)) {
    for (const feature of features) {
      feature.jobs?.(context.queue, deps)
      await feature.background?.(http, deps)
    }
  }
  const sessions = { db, validSessions: validSessions.bind(null, context) }
  if (role !== 'worker') await endRequestsWithSessions(http, { ...sessions, openRequests })
  if (role === 'uploads') await uploadRoutes(http, deps)
  if (role === 'uploads' || role === 'worker') return serveNoPages(http)

  await configureStoreCors(http, context)
  streams = await liveRoutes(http, sessions)
  for (const feature of features) await feature.routes?.(http, deps)
  startRoute(http, deps)
  const { served, signing, store } = context
  if (served) serveFiles(http, { storage: served, signing, store })
  await serveApiPage(http, config.title)
  await servePages(http, config.title)
}

function worksOnJobs(role: Config['role']): boolean {
  return role === 'all' || role === 'worker'
}

function serveHealth(http: FastifyInstance, { db, storage, clock }: AppContext): void {
  // Cached, because the storage check writes a file and anyone may call this.
  const check = cachedResult(() => Promise.all([db.check(), storage.check()]), { ...healthCheckTtl, clock })
  const answer = async () => {
    await check().catch(cause => {
      throw new AppError('unavailable', 'server.unavailable', { cause })
    })
    return { status: 'ok' as const }
  }
  // Not counted: a monitor behind the same address as somebody who floods the server must see that it works.
  serveAnyone(http, health, answer, { cost: 0 })
}

async function configureStoreCors(http: FastifyInstance, { store, config }: AppContext): Promise<void> {
  const { origin } = config.publicUrl
  if (!store || (await store.allowOrigin(origin))) return
  http.log.error(
    `S3_ACCESS_KEY_ID may not set the CORS rules of the bucket. Allow GET and HEAD from ${origin} there, or pages cannot read the files they load.`,
  )
}
