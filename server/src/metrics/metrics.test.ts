import { expect, onTestFinished, test } from 'vitest'
import { listMedia } from '#contract/media-list.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onBothEngines, startLibrary } from '../../test/library.ts'

const token = 'a-token-for-prometheus'

onBothEngines(
  'what a library tells Prometheus',
  library => {
    test('needs its token', async () => {
      const status = async (authorization?: string) =>
        (await library().anyone.fetch('/metrics', { headers: authorization ? { authorization } : {} })).status
      expect(await status()).toBe(401)
      expect(await status('Bearer a-token-for-prometheu5')).toBe(401)
      expect(await status(`Bearer ${(await library().admin()).token}`)).toBe(401)
      expect(await status(`Bearer ${token}`)).toBe(200)
    })

    test('counts requests by their route, never by their address', async () => {
      const ben = await memberOf(library())
      await ben.call(listMedia, { query: { limit: 1 } })
      await library().anyone.fetch('/api/no-such-thing/secret')
      const text = await metricsOf(library())
      expect(text).toMatch(/^heirloom_requests_total\{method="GET",route="\/api\/media",status="200"\} [1-9]/m)
      expect(text).toMatch(/^heirloom_request_seconds_count\{method="GET",route="\/api\/media"\} [1-9]/m)
      expect(text).not.toContain('secret')
    })

    test('tells of files, jobs that wait or failed, and pages that listen', async () => {
      const ben = await memberOf(library())
      const { file_size } = await uploadFile(ben)
      await library().rows(
        "insert into jobs (name, payload, priority, run_at, attempts) values ('test.later', 'null', 5, 1, 0)",
      )
      await library().rows(
        `insert into jobs (name, payload, priority, run_at, attempts, failed_at) values ('test.failed', 'null', 5, 1, 9, 1)`,
      )
      const leave = new AbortController()
      onTestFinished(() => leave.abort())
      const stream = await ben.fetch('/api/events', { signal: leave.signal })
      await stream.body?.getReader().read()
      const text = await metricsOf(library())
      expect(text).toMatch(new RegExp(`^heirloom_storage_bytes\\{type="image"\\} ${file_size}$`, 'm'))
      expect(text).toMatch(/^heirloom_files\{type="image"\} 1$/m)
      expect(text).toMatch(/^heirloom_jobs_waiting\{job="test.later"\} 1$/m)
      expect(text).toMatch(/^heirloom_jobs_oldest_seconds\{job="test.later"\} \d{9,}/m)
      expect(text).toMatch(/^heirloom_jobs_failed\{job="test.failed"\} 1$/m)
      expect(text).toMatch(/^heirloom_live_connections 1$/m)
      expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m)
    })
  },
  { environment: { METRICS_TOKEN: token } },
)

test('without a token set there is nothing to see', async () => {
  const library = await startLibrary()
  onTestFinished(library.close)
  expect((await library.anyone.fetch('/metrics', { headers: { authorization: 'Bearer undefined' } })).status).toBe(404)
})

async function metricsOf(library: Library): Promise<string> {
  const response = await library.anyone.fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
  return response.text()
}
