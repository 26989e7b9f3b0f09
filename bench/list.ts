/**
 * 200 tiles out of 100,000 and of 1,000,000 files: what a request adds to the bare query, and how it grows. Nothing is
 * cached on the server. Then the timeline (also with proportions), the start, searches and the list, each right after a
 * change.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { startProduct, untilQuiet } from './lib/product.ts'
import { alternately, line, median } from './lib/report.ts'

const SIZES = (process.env.SIZES ?? '100000,1000000').split(',').map(Number)
const ROUNDS = 60
const UNCACHED_GOAL_MS = 15
const cli = fileURLToPath(new URL('../server/src/cli/main.ts', import.meta.url))

const times: number[] = []
for (const size of SIZES) times.push(await measure(size))
const [small, large] = times
if (small !== undefined && large !== undefined) {
  const growth = large / small
  line('growth from the smaller to the larger library', `× ${growth.toFixed(2)}`, 'none (× 1.3 at most)', growth <= 1.3)
}

async function measure(size: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-list-'))
  execFileSync(process.execPath, [cli, 'seed', folder, '--count', String(size), '--pictures', '20', '--rows-only'], {
    env: { ...process.env, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const product = await startProduct({ folder })
  await untilQuiet(product)
  const headers = { authorization: `Bearer ${await product.signIn()}` }
  const database = new DatabaseSync(join(folder, 'heirloom.db'), { readOnly: true })
  const bare = database.prepare(
    'select * from media where deleted_at is null order by date_sort desc, id desc limit 200 offset ?',
  )
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
      bare.all(offset)
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
      suggestions: '/api/media/suggestions',
      'the list': '/api/media?limit=200',
    }
    for (const [call, path] of Object.entries(uncached)) {
      const times: number[] = []
      for (let round = 0; round < ROUNDS / 2; round++) times.push(await afterChange(path))
      const figure = `${median(times).toFixed(1)} ms, ${Math.min(...times).toFixed(1)} at best`
      line(
        `${call} of ${size.toLocaleString('en')}, right after a change`,
        figure,
        `${UNCACHED_GOAL_MS} ms`,
        median(times) <= UNCACHED_GOAL_MS,
      )
    }
    return first
  } finally {
    database.close()
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

function report(what: string, result: { ours: number[]; limit: number[] }): number {
  const [ours, limit] = [median(result.ours), median(result.limit)]
  const added = ours - limit
  const figure = `${ours.toFixed(1)} ms, ${added.toFixed(1)} ms more than the bare query (${limit.toFixed(1)} ms)`
  line(what, figure, '3 ms', added <= 3)
  return ours
}
