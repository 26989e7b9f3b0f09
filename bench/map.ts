/**
 * The clusters of the map in 100,000 files that all have another place: of the whole world, a continent and a town, and
 * the list of the files in sight. On SQLite and Postgres; FILES sets another number.
 */
import { sql } from 'kysely'
import type { Database } from '../server/src/db/database.ts'
import { selectGrid } from '../server/src/media/list.sql.ts'
import { selectTimeline } from '../server/src/media/timeline.sql.ts'
import { findClusters } from '../server/src/places/clusters.ts'
import { onBothEngines } from './lib/engines.ts'
import { line, median } from './lib/report.ts'

const FILES = Number(process.env.FILES ?? 100_000)
const ROUNDS = 15
const GOAL_MS = 100
const VIEWS = [
  { name: 'the world', bounds: '-180,-85,180,85', zoom: 2 },
  { name: 'a continent', bounds: '-25,30,45,70', zoom: 4 },
  { name: 'a country', bounds: '-10,36,4,44', zoom: 6 },
  { name: 'a town', bounds: '-9.5,38.5,-9,39', zoom: 11 },
]

await onBothEngines(measure)

async function measure(engine: string, db: Database): Promise<void> {
  await fill(db)
  const storage = { signedUrl: (key: string) => key }
  for (const { name, bounds, zoom } of VIEWS) {
    let count = 0
    const clusters = await time(async () => {
      count = (await findClusters({ db, storage }, { bounds, zoom })).length
    })
    report(`${engine}: ${count} clusters of ${name}`, clusters)
    const filter = { given: { bounds }, words: [] }
    const order = { sort: 'date', order: 'desc' } as const
    report(
      `${engine}: the files in sight of ${name}`,
      await time(async () => {
        await selectTimeline(db, filter, order, { days: true, proportions: true })
        await selectGrid(db, 1, filter, { ...order, limit: 200, offset: undefined }, undefined)
      }),
    )
  }
}

async function time(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times
}

function report(what: string, times: number[]): void {
  const took = median(times)
  line(what, `${took.toFixed(1)} ms, ${Math.min(...times).toFixed(1)} at best`, `${GOAL_MS} ms`, took <= GOAL_MS)
}

/** Spread evenly: real libraries have fewer places, so this is the worst case. */
async function fill(db: Database): Promise<void> {
  await sql`insert into people (id, issuer, subject, email, username, name, role, status, requested_at)
    values (1, 'bench', 'me', 'me@example.org', 'me', 'me', 'member', 'approved', 0)`.execute(db.query)
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(FILES)})`
  await db.transaction(async tx => {
    await sql`insert into media (id, original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by,
        status, date_sort, day, name_sort, location_sort, version, latitude, longitude)
      ${numbers} select n, 'img', 'image', 'jpeg', 'image/jpeg', 1, 'hash ' || n, n, 1, 'ready', cast(n as bigint) * 1000,
        n / 50, 'img', '', 1, (cast(n as bigint) * 7919 % 140000) / 1000.0 - 60, (cast(n as bigint) * 104729 % 360000) / 1000.0 - 180
        from numbers`.execute(tx)
  })
  await sql`analyze`.execute(db.query)
}
