/**
 * The first 200 tiles of a search in 100,000 files, and the exact count of its files: words that most files have, that only the
 * oldest have, that few have, of one letter, and that name a date. On SQLite and Postgres; FILES sets another number.
 */
import { sql } from 'kysely'
import type { Database } from '../server/src/db/database.ts'
import { isPlanned } from '../server/src/media/filter.sql.ts'
import { readQuery } from '../server/src/media/filter.ts'
import { countMatching, selectGrid } from '../server/src/media/list.sql.ts'
import { planSearch } from '../server/src/media/search.sql.ts'
import { onBothEngines } from './lib/engines.ts'
import { line, median } from './lib/report.ts'

const FILES = Number(process.env.FILES ?? 100_000)
const ROUNDS = 15
const PAGE = 200
const SEARCHES = [
  'img',
  'img jpg',
  'oldest',
  'rare-17',
  'img rare-17',
  'noted',
  'nothing',
  'i',
  'zz',
  '1970',
  'the 60s',
  'summer 1969',
]

await onBothEngines(measure)

async function measure(engine: string, db: Database): Promise<void> {
  await fill(db)
  for (const search of SEARCHES) {
    const { filter } = await readQuery(db, { search, sort: 'date' }, 1)
    const page = { sort: 'date', order: 'desc', limit: PAGE, offset: undefined } as const
    const times: number[] = []
    const counting: number[] = []
    let count = 0
    for (let round = 0; round < ROUNDS; round++) {
      const began = performance.now()
      const plan = isPlanned(filter) ? await planSearch(db, filter, PAGE) : undefined
      await selectGrid(db, 1, filter, page, plan)
      const found = performance.now()
      count = await countMatching(db, filter, plan)
      times.push(found - began)
      counting.push(performance.now() - found)
    }
    const took = median(times)
    const measured = `${took.toFixed(1)} ms, ${Math.min(...times).toFixed(1)} at best; counted in ${median(counting).toFixed(1)} ms`
    line(`${engine}: “${search}”, ${count} files`, measured, '15 ms', took <= 15)
  }
}

/** Half are called IMG, the oldest tenth is of a camera of its own, every thousandth has a rare place, some have notes. */
async function fill(db: Database): Promise<void> {
  await sql`insert into people (id, issuer, subject, email, username, name, role, status, requested_at)
    values (1, 'bench', 'me', 'me@example.org', 'me', 'me', 'member', 'approved', 0)`.execute(db.query)
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(FILES)})`
  const name = sql`(case when n % 2 = 0 then 'img' else 'dsc' end) || '_' || n || '.jpg'`
  const camera = sql`case when n <= ${sql.lit(FILES / 10)} then 'oldest' else 'newest' end`
  const place = sql`case when n % 1000 = 0 then 'rare-' || (n / 1000) else 'common' end`
  await db.transaction(async tx => {
    await sql`insert into media (id, original_name, file_type, format, mime_type, file_size, hash, uploaded_at, uploaded_by,
        status, date_sort, day, name_sort, location_sort, version)
      ${numbers} select n, ${name}, 'image', 'jpeg', 'image/jpeg', 1, 'hash ' || n, n, 1, 'ready', cast(n as bigint) * 1000, 0,
        ${name}, '', 1 from numbers`.execute(tx)
    await sql`insert into media_search_texts (media_id, search_text)
      ${numbers} select n, ${name} || ${sql.lit('\n')} || ${camera} || ${sql.lit('\n')} || ${place} from numbers`.execute(
      tx,
    )
    await sql`insert into comments (media_id, author_id, content, search_text, created_at)
      select id, 1, 'Noted', 'noted', 0 from media where id % 50 = 1`.execute(tx)
    await sql`insert into media_counts (folder_id, file_type, files, bytes)
      values (0, 'image', ${FILES}, ${FILES})`.execute(tx)
  })
  await sql`analyze`.execute(db.query)
}
