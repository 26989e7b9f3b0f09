/**
 * 200 tiles out of 100,000 and of 1,000,000 files: what a request adds to the bare query, and how it grows. Nothing is
 * cached on the server. Then the timeline (also with proportions), the start, searches, memories, what is new and the
 * list, each right after a change. On SQLite and Postgres; SIZES and ENGINES set others.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { connect } from '../server/src/db/database.ts'
import { createDatabase, startPostgres } from '../server/test/postgres.ts'
import { startProduct, untilQuiet } from './lib/product.ts'
import { alternately, line, median } from './lib/report.ts'

const SIZES = (process.env.SIZES ?? '100000,1000000').split(',').map(Number)
const ENGINES = (process.env.ENGINES ?? 'SQLite,Postgres').split(',')
const ROUNDS = 60
const UNCACHED_GOAL_MS = 15
const WEEK_MS = 7 * 24 * 3_600_000
const cli = fileURLToPath(new URL('../server/src/cli/main.ts', import.meta.url))

for (const engine of ENGINES) {
  console.log(engine)
  const postgres = engine === 'Postgres' ? await startPostgres() : undefined
  try {
    const times: number[] = []
    for (const size of SIZES) {
      const database = postgres ? await createDatabase(postgres.url) : undefined
      times.push(await measure(size, database?.url))
      await database?.drop()
    }
    const [small, large] = times
    if (small === undefined || large === undefined) continue
    const growth = large / small
    line(
      'growth from the smaller to the larger library',
      `× ${growth.toFixed(2)}`,
      'none (× 1.3 at most)',
      growth <= 1.3,
    )
  } finally {
    await postgres?.stop()
  }
}

async function measure(size: number, databaseUrl: string | undefined): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-list-'))
  const env: Record<string, string> = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  execFileSync(process.execPath, [cli, 'seed', folder, '--count', String(size), '--pictures', '20', '--rows-only'], {
    env: { ...process.env, DATA_DIR: folder, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const product = await startProduct({ folder, env })
  await untilQuiet(product)
  const headers = { authorization: `Bearer ${await product.signIn()}` }
  const database = await connect({ url: databaseUrl, dataFolder: folder })
  try {
    const request = async (path = '/api/media/grid') => {
      const began = performance.now()
      const answer = await fetch(product.url + path, { headers })
      await answer.arrayBuffer()
      const took = performance.now() - began
      if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
      return took
    }
    let offset = 0
    const further = () => {
      offset += 200
      return request(`/api/media/grid?offset=${offset}`)
    }
    const answer = await fetch(`${product.url}/api/media?limit=2&offset=500`, { headers })
    const [someFile, otherFile] = (await answer.json()).files
    const afterChange = async (path?: string) => {
      const init = { method: 'PATCH', headers: { ...headers, 'content-type': 'application/json' } }
      const body = JSON.stringify({ newName: `${performance.now()}.jpg` })
      const changed = await fetch(`${product.url}/api/media/${someFile.id}/rename`, { ...init, body })
      if (!changed.ok) throw new Error(`A change was refused: ${await changed.text()}`)
      return request(path)
    }
    const query = async () => {
      const began = performance.now()
      const bare = sql`select * from media where deleted_at is null order by date_sort desc, heading_rank desc, id desc limit 200 offset ${offset}`
      await bare.execute(database.query)
      return performance.now() - began
    }
    const what = `200 tiles out of ${size.toLocaleString('en')}`
    await alternately(10, () => request(), query)
    const first = report(what, await alternately(ROUNDS, () => request(), query))
    await alternately(10, further, query)
    report(`${what}, further down`, await alternately(ROUNDS, further, query))
    const rare = String(otherFile.original_name).replace(/\.[^.]*$/, '')
    const uncached = {
      'the timeline': '/api/media/timeline',
      'the timeline with proportions': '/api/media/timeline?proportions=true',
      'the timeline by name with proportions': '/api/media/timeline?sort=name&proportions=true',
      'the start with proportions': '/api/start?proportions=true',
      'a search for “img”': '/api/media/grid?search=img',
      'a search for “i”': '/api/media/grid?search=i',
      [`a search for “${rare}”`]: `/api/media/grid?search=${encodeURIComponent(rare)}`,
      'oldest first': '/api/media/grid?sort=date&order=asc',
      'undated files': '/api/media/grid?undated=true',
      'files new in the last week': `/api/media/grid?new_since=${encodeURIComponent(new Date(Date.now() - WEEK_MS).toISOString())}`,
      'memories of a day and the new': '/api/memories/top?today=2026-07-14',
      suggestions: '/api/media/suggestions',
      'the list': '/api/media?limit=200',
    }
    for (const [call, path] of Object.entries(uncached)) {
      const times: number[] = []
      for (let round = 0; round < ROUNDS / 2; round++) times.push(await afterChange(path))
      const measured = `${median(times).toFixed(1)} ms, ${Math.min(...times).toFixed(1)} at best`
      line(
        `${call} of ${size.toLocaleString('en')}, right after a change`,
        measured,
        `${UNCACHED_GOAL_MS} ms`,
        median(times) <= UNCACHED_GOAL_MS,
      )
    }
    return first
  } finally {
    await database.close()
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function report(what: string, result: { ours: number[]; limit: number[] }): number {
  const [ours, limit] = [median(result.ours), median(result.limit)]
  const added = ours - limit
  const measured = `${ours.toFixed(1)} ms, ${added.toFixed(1)} ms more than the bare query (${limit.toFixed(1)} ms)`
  line(what, measured, '3 ms', added <= 3)
  return ours
}
