/**
 * An album of 100,000 files, on SQLite and Postgres: its pages in manual order and by date, one moved file, and the
 * list of albums with smart albums; each right after a change. FILES sets another number.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { bulkChanges } from '../contract/src/limits.ts'
import { connect } from '../server/src/db/database.ts'
import { inChunks } from '../server/src/kit/in-chunks.ts'
import { createDatabase, startPostgres } from '../server/test/postgres.ts'
import { startProduct, untilQuiet } from './lib/product.ts'
import { line, median } from './lib/report.ts'

const FILES = Number(process.env.FILES ?? 100_000)
const SMART = 25
const ROUNDS = 15
const cli = fileURLToPath(new URL('../server/src/cli/main.ts', import.meta.url))

const postgres = await startPostgres()
const folder = await mkdtemp(join(tmpdir(), 'heirloom-albums-'))
try {
  await measure('SQLite', {})
  const database = await createDatabase(postgres.url)
  await measure('Postgres', { DATABASE_URL: database.url })
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure(engine: string, env: Record<string, string>): Promise<void> {
  console.log(engine)
  const dataFolder = join(folder, engine)
  const args = [cli, 'seed', folder, '--count', String(FILES), '--pictures', '10', '--rows-only']
  execFileSync(process.execPath, args, {
    env: { ...process.env, DATA_DIR: dataFolder, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // As autovacuum does within a minute.
  const db = await connect({ url: env.DATABASE_URL, dataFolder })
  await sql`analyze`.execute(db.query)
  await db.close()
  const product = await startProduct({ folder: dataFolder, env })
  try {
    await untilQuiet(product)
    await measureAlbums(product.url, await product.signIn())
  } finally {
    await product.stop()
  }
}

async function measureAlbums(url: string, token: string): Promise<void> {
  const call = async (path: string, method = 'GET', body?: object) => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) }
    const answer = await fetch(url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text.slice(0, 200)}`)
    return text ? JSON.parse(text) : undefined
  }
  const { ids } = await call('/api/media/ids?sort=date')
  const album = await call('/api/albums', 'POST', { title: 'Everything' })
  for (const fileIds of inChunks<number>(ids, bulkChanges.files))
    await call(`/api/albums/${album.id}/files`, 'POST', { fileIds })
  await call(`/api/albums/${album.id}`, 'PATCH', { order: 'manual' })
  const searches = [{ type: 'image' }, { type: 'video' }, { year: 2019 }, { search: 'lisbon' }, { search: 'nikon' }]
  for (let i = 0; i < SMART; i++) {
    await call('/api/albums', 'POST', { title: `Smart ${i}`, search: searches[i % searches.length] })
  }
  const link = await call(`/api/links/albums/${album.id}`, 'POST', {})
  const [, linkToken] = link.url.split('#')[1].split('.')
  const opened = await fetch(`${url}/shared/${link.id}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: linkToken }),
  })
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''

  let changes = 0
  const touch = () => call(`/api/media/${ids[500]}/rename`, 'PATCH', { newName: `${++changes}.jpg` })
  const timed = async (what: string, goal: number, act: (round: number) => Promise<unknown>) => {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await touch()
      const began = performance.now()
      await act(round)
      times.push(performance.now() - began)
    }
    line(what, `${median(times).toFixed(1)} ms`, `${goal} ms`, median(times) <= goal)
  }
  const grid = `/api/media/grid?album=${album.id}`
  const page = await call(`/api/media?album=${album.id}&sort=manual&limit=200`)
  await timed('200 tiles, in manual order', 30, () => call(`${grid}&sort=manual`))
  await timed('the next page of the list, with its count', 100, () =>
    call(`/api/media?album=${album.id}&sort=manual&limit=200&cursor=${encodeURIComponent(page.next_cursor)}`),
  )
  await timed('200 tiles in the middle, in manual order', 100, () =>
    call(`${grid}&sort=manual&offset=${Math.floor(FILES / 2)}`),
  )
  await timed('200 tiles, newest first', 150, () => call(`${grid}&sort=date`))
  await timed('the timeline with proportions, in manual order', 300, () =>
    call(`/api/media/timeline?album=${album.id}&sort=manual&proportions=true`),
  )
  await timed('one file moved to the front', 300, round =>
    call(`/api/albums/${album.id}/reorder`, 'POST', { fileIds: [ids[1_000 + round]], before: ids[0] }),
  )
  await timed('the album', 150, () => call(`/api/albums/${album.id}`))
  await timed(`albums, ${SMART} of them smart`, 500, () => call('/api/albums'))
  await timed('200 files of a link for guests, with their count', 100, async () => {
    const answer = await fetch(`${url}/shared/${link.id}/files?limit=200`, { headers: { cookie } })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`A guest was answered with ${answer.status}`)
  })
}
