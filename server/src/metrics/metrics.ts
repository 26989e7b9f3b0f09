import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../kit/errors.ts'
import type { ReportDeps } from './report.ts'

interface MetricsDeps extends ReportDeps {
  /** Absent: the endpoint is off. */
  token: string | undefined
}

const path = '/metrics'

/** Metrics in the Prometheus format. prom-client is loaded only where METRICS_TOKEN is set. */
export async function serveMetrics(app: FastifyInstance, { token, ...deps }: MetricsDeps): Promise<void> {
  const report = token === undefined ? undefined : (await import('./report.ts')).openReport(app, deps)
  app.get(path, { logLevel: 'warn' }, async (request, reply) => {
    if (token === undefined || !report) throw new AppError('not_found', 'request.nothingHere')
    if (!hasToken(request, token)) throw new AppError('not_signed_in', 'server.metricsToken')
    const { type, text } = await report()
    return reply.header('cache-control', 'no-store').type(type).send(text)
  })
}

function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '')
  const expected = Buffer.from(`Bearer ${token}`)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
