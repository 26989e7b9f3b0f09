import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { type CountFilter, countFiles } from './counts.sql.ts'

/**
 * A file matches a search when each word is found in its own text (name, location, camera), in one of its notes, in one
 * of its tags or in the name of a folder that contains it. Each of these is a row. A word never matches across two rows.
 *
 * To search something else, add an entry here and a `search_text` column to its table.
 */
interface SearchSource {
  /** Ids of all files that contain the word, from the index. */
  files(db: Database, word: string): RawBuilder<number>
  /** Whether the file `media.id` contains the word. */
  has(db: Database, word: string): RawBuilder<SqlBool>
}

const ownText: SearchSource = {
  files: (db, word) => db.keysContaining('media_search_texts', 'search_text', 'media_id', word),
  // Not `exists`: Postgres may turn it into a join over all files, even for a page of a few.
  has: (db, word) => {
    const text = sql<string>`(select search_text from media_search_texts where media_search_texts.media_id = media.id)`
    return sql`${db.contains(text, word)}`
  },
}

const otherSources: readonly SearchSource[] = [
  {
    files: (db, word) =>
      sql`select media_id from media_tags where tag_id in (${db.keysContaining('tags', 'search_text', 'id', word)})`,
    has: (db, word) => {
      const tags = db.keysContaining('tags', 'search_text', 'id', word)
      return sql`(select 1 from media_tags where media_tags.media_id = media.id and tag_id in (${tags}) limit 1) = 1`
    },
  },
  {
    files: filesWithNote,
    // From the index too: one file can have thousands of long notes.
    has: (db, word) => sql`media.id in (${filesWithNote(db, word)})`,
  },
  {
    files: (db, word) =>
      sql`select id from media where deleted_at is null and folder_id in (${foldersNamed(db, word)})`,
    has: (db, word) => sql`media.folder_id in (${foldersNamed(db, word)})`,
  },
]

/** With all folders inside them. There are few folders, so they need no index. */
function foldersNamed(db: Database, word: string): RawBuilder<number> {
  return sql`with recursive named (id) as (
    select id from folders where ${db.contains(sql.ref('search_text'), word)}
    union select folders.id from folders join named on folders.parent_id = named.id
  ) select id from named`
}

const sources = [ownText, ...otherSources]

/** A word without digits matches a text exactly when it matches the text's shape, in which all digits are masked. */
function hasNoDigits(word: string): boolean {
  return !/[0-9]/.test(word)
}

function filesByShape(db: Database, word: string): RawBuilder<number> {
  const [shape, text] = [sql.ref<string>('search_text_shapes.shape'), sql.ref<string>('media_search_texts.search_text')]
  // SQLite uses the index of an expression only for comparisons with another expression: with the column itself it would
  // read all texts for every shape.
  const shapeKey = db.shapeKey(sql<string>`(${shape} || '')`)
  const conditions = [sql`${db.shapeKey(db.maskDigits(text))} = ${shapeKey}`, db.contains(shape, maskDigits(word))]
  if (!hasNoDigits(word)) conditions.push(db.contains(text, word))
  // `cross join` makes SQLite start with the shapes and find their files by the index.
  return sql`select media_id from search_text_shapes cross join media_search_texts where ${sql.join(conditions, sql` and `)}`
}

/** Every text that contains the word has a shape that contains this. */
function maskDigits(word: string): string {
  return word.replace(/[1-9]/g, '0')
}

function filesWithNote(db: Database, word: string): RawBuilder<number> {
  const comments = db.keysContaining('comments', 'search_text', 'id', word)
  return sql`select media_id from comments where media_id is not null and deleted_at is null and id in (${comments})`
}

/** Finds a rare word in the indexes: best when few files match. */
export function matchesByIndex(db: Database, word: string, plan?: SearchPlan): Expression<SqlBool> {
  const found = sourcesOf(word, plan).map(source =>
    // Without a trigram index all texts would be read.
    source === ownText && plan && !db.isIndexable(word) ? filesByShape(db, word) : source.files(db, word),
  )
  const id = sql<number>`media.id`
  const ids = sql<number>`${sql.join(found, sql` union `)}`
  return plan ? db.isAmongFew(id, ids) : sql<SqlBool>`${id} in (${ids})`
}

/** Finds a common word in the indexes, then reads the list in its order. */
export function matchesInList(db: Database, word: string, plan: SearchPlan): Expression<SqlBool> {
  const found = sourcesOf(word, plan).map(source => source.files(db, word))
  return db.isAmongMany(sql<number>`media.id`, found)
}

/** Checks each file: best for a word that most files contain, when few files are needed. */
export function matchesByScan(db: Database, word: string, plan?: SearchPlan): Expression<SqlBool> {
  const has = sourcesOf(word, plan).map(source => source.has(db, word))
  return sql<SqlBool>`(${sql.join(has, sql` or `)})`
}

function sourcesOf(word: string, plan: SearchPlan | undefined): readonly SearchSource[] {
  return plan?.sources.get(word) ?? sources
}

export interface SearchPlan {
  /** Looked up in the indexes; the other words are checked per file. Undefined when all words are common. */
  rare: string | undefined
  /** How many files to scan in list order before the indexes are used instead. */
  scanLimit: number
  /** Whether these are all files of the folder and type. */
  scansAll: boolean
  /** Where each word is found: most are found in few of the sources, and each takes time for each file. */
  sources: ReadonlyMap<string, readonly SearchSource[]>
}

/**
 * If `hits` of `files` match, a page of `wanted` takes either a scan of `wanted × files ÷ hits` files in list order, or a
 * lookup and sort of all `hits`. Both cost the same at √(wanted × files) hits, so counting stops there.
 */
export async function planSearch(
  db: Database,
  { words, given }: { words: readonly string[]; given: CountFilter },
  wanted: number,
): Promise<SearchPlan> {
  const files = await countFiles(db.query, given)
  const bound = Math.max(ALWAYS_BY_INDEX, Math.ceil(Math.sqrt(Math.min(wanted, files) * files)) + 1)
  // One after the other: ten words at once would take all connections to the database.
  const found: { word: string; hits: number; sources: readonly SearchSource[] }[] = []
  for (const word of words) found.push({ word, ...(await findSources(db, word, bound)) })
  const [rarest] = found.toSorted((a, b) => a.hits - b.hits)
  const rare = rarest && rarest.hits < bound ? rarest.word : undefined
  // A page is full the sooner the more files match, but several words are rarely found in the same files.
  const hits = words.length === 1 ? Math.max(bound, rarest?.hits ?? 0) : bound
  // A margin, since matches are not spread evenly over the list.
  const scanLimit = Math.ceil((SCAN_FACTOR * bound * bound) / hits)
  return {
    rare,
    scanLimit,
    scansAll: files <= scanLimit,
    sources: new Map(found.map(({ word, sources }) => [word, sources])),
  }
}

const SCAN_FACTOR = 4
/** Up to this many hits are always looked up: sorting them is fast. */
const ALWAYS_BY_INDEX = 1_000

/** The sources that contain the word, and in how many rows, counted up to `bound` in each index. */
async function findSources(db: Database, word: string, bound: number) {
  const bounded = (source: SearchSource) =>
    sql<number>`(select count(*) from (select 1 as hit from (${source.files(db, word)} limit ${bound}) as bounded) as counted)`
  const byShape = !db.isIndexable(word) || hasNoDigits(word)
  const counts = sources.map((source, index) =>
    (source === ownText && byShape ? countInShapes(db, [maskDigits(word)]) : bounded(source)).as(String(index)),
  )
  const row: Record<string, number> = await db.query.selectNoFrom(counts).executeTakeFirstOrThrow()
  const containing = sources.filter((_, index) => row[index])
  const hits = Object.values(row).reduce((sum, count) => sum + count, 0)
  // Of a word that is found nowhere, no file is found in its own text either.
  return { hits, sources: containing.length > 0 ? containing : [ownText] }
}

/** The number of files whose own text contains all these words, including deleted files. */
function countInShapes(db: Database, words: readonly string[]): RawBuilder<number> {
  const conditions = words.map(word => db.contains(sql.ref('search_text_shapes.shape'), word))
  return sql<number>`(select coalesce(sum(files), 0) from search_text_shapes where ${sql.join(conditions, sql` and `)})`
}

/**
 * Counts the files of the library that match common words. A scan of 100,000 files would take 100 ms, so matches in the
 * files' own texts are counted by text shape (for words with digits, from the index), minus deleted files, plus the few
 * that match only with a note or tag.
 */
export async function countCommonWords(db: Database, words: readonly string[]): Promise<number> {
  const inOwnText = words.map(word => db.contains(sql.ref('media_search_texts.search_text'), word))
  const own = sql<boolean>`(${sql.join(inOwnText, sql` and `)})`
  const byOwnText = words.every(hasNoDigits)
    ? countInShapes(db, words)
    : sql<number>`(select count(*) from (${db.keysContaining('media_search_texts', 'search_text', 'media_id', ...words)}) as own)`
  const byOthers = words.flatMap(word => otherSources.map(source => source.files(db, word)))
  const count = sql<number>`count(*)`.as('count')
  let helped = db.query
    .selectFrom('media')
    .innerJoin('media_search_texts', 'media_search_texts.media_id', 'media.id')
    .select(count)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`media.id in (${sql.join(byOthers, sql` union `)})`)
    .where(sql<boolean>`not ${own}`)
  for (const word of words) helped = helped.where(matchesByScan(db, word))
  const deleted = db.query
    .selectFrom('media')
    .innerJoin('media_search_texts', 'media_search_texts.media_id', 'media.id')
    .select(count)
    .where('deleted_at', 'is not', null)
    .where(own)
  const row = await db.query
    .selectNoFrom([byOwnText.as('own'), deleted.as('deleted'), helped.as('helped')])
    .executeTakeFirstOrThrow()
  return row.own - (row.deleted ?? 0) + (row.helped ?? 0)
}
