import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { countFiles, countJobs } from './counts.sql.ts'

export interface ReportDeps {
  db: Database
  clock: Clock
  /** Open live-event streams on this server. */
  liveConnections(): number
}

/** Starts measuring; the returned function renders the current metrics. */
export function openReport(app: FastifyInstance, deps: ReportDeps): () => Promise<{ type: string; text: string }> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  measureRequests(app, registry)
  const readLibrary = measureLibrary(registry, deps)
  return async () => {
    await readLibrary()
    return { type: registry.contentType, text: await registry.metrics() }
  }
}

/** Histogram buckets in seconds: a list takes milliseconds, sending a film takes minutes. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

function measureRequests(app: FastifyInstance, registry: Registry): void {
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: 'heirloom_requests_total',
    help: 'Requests answered',
    labelNames,
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'heirloom_request_seconds',
    help: 'From the request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets: SECONDS,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    // The route and not the URL: a scan of a million URLs would otherwise create a million time series.
    const route = request.routeOptions.url ?? 'none'
    requests.inc({ method, route, status: String(reply.statusCode) })
    duration.observe({ method, route }, reply.elapsedTime / 1000)
  })
}

/** Queries the database at each scrape, so that every server reports the same values. */
function measureLibrary(registry: Registry, { db, clock, liveConnections }: ReportDeps): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `heirloom_${name}`, help, labelNames, registers: [registry] })
  const waiting = gauge('jobs_waiting', 'Jobs that wait or run', ['job'])
  const failed = gauge('jobs_failed', 'Jobs that failed for good and wait for a person', ['job'])
  const age = gauge('jobs_oldest_seconds', 'For how long the oldest job that could run has waited', ['job'])
  const files = gauge('files', 'Photos and videos in the library', ['type'])
  const bytes = gauge('storage_bytes', 'Bytes of the originals in the library', ['type'])
  const live = gauge('live_connections', 'Pages that listen to this server')

  return async () => {
    const [jobs, counted] = await Promise.all([countJobs(db.query, clock()), countFiles(db.query)])
    // Drops the series of job names that have no jobs any more.
    for (const each of [waiting, failed, age]) each.reset()
    for (const { name: job, ...counts } of jobs) {
      waiting.set({ job }, counts.waiting)
      failed.set({ job }, counts.failed)
      age.set({ job }, counts.dueSince === null ? 0 : (clock() - counts.dueSince) / 1000)
    }
    for (const { type, ...counts } of counted) {
      files.set({ type }, counts.files)
      bytes.set({ type }, counts.bytes)
    }
    live.set(liveConnections())
  }
}
