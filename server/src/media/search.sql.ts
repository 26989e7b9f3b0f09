import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FileType } from '#contract/media.ts'
import type { Database } from '../db/database.ts'
import { countFiles } from './counts.sql.ts'

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
  // `cross join` makes SQLite start with the shapes and find their files by the index.
  return sql`select media_id from search_text_shapes cross join media_search_texts
    where ${db.shapeKey(db.maskDigits(text))} = ${db.shapeKey(shape)} and ${db.contains(shape, word)}`
}

function filesWithNote(db: Database, word: string): RawBuilder<number> {
  return sql`select media_id from notes where id in (${db.keysContaining('notes', 'search_text', 'id', word)})`
}

/** Finds the word in the indexes: best for a rare word, or when all matches are needed. */
export function matchesByIndex(db: Database, word: string, { isRare = false } = {}): Expression<SqlBool> {
  // Without a trigram index all texts would be read.
  const own = isRare && !db.isIndexable(word) && hasNoDigits(word) ? filesByShape(db, word) : ownText.files(db, word)
  const found = sql<number>`${sql.join([own, ...otherSources.map(source => source.files(db, word))], sql` union `)}`
  const id = sql<number>`media.id`
  return isRare ? db.isAmongFew(id, found) : sql<SqlBool>`${id} in (${found})`
}

/** Checks each file: best for a word that most files contain, when few files are needed. */
export function matchesByScan(db: Database, word: string): Expression<SqlBool> {
  const has = sources.map(source => source.has(db, word))
  return sql<SqlBool>`(${sql.join(has, sql` or `)})`
}

export interface SearchPlan {
  /** Looked up in the indexes; the other words are checked per file. Undefined when all words are common. */
  rare: string | undefined
  /** How many files to scan in list order before the indexes are used instead. */
  scanLimit: number
  /** Whether these are all files of the folder and type. */
  scansAll: boolean
}

/**
 * If `hits` of `files` match, a page of `wanted` takes either a scan of `wanted × files ÷ hits` files in list order, or a
 * lookup and sort of all `hits`. Both cost the same at √(wanted × files) hits, so counting stops there.
 */
export async function planSearch(
  db: Database,
  { words, ...where }: { words: readonly string[]; folder: number | 'root' | undefined; type: FileType | undefined },
  wanted: number,
): Promise<SearchPlan> {
  const files = await countFiles(db.query, where)
  const bound = Math.max(ALWAYS_BY_INDEX, Math.ceil(Math.sqrt(Math.min(wanted, files) * files)) + 1)
  // One after the other: ten words at once would take all connections to the database.
  const hits: { word: string; hits: number }[] = []
  for (const word of words) hits.push({ word, hits: await countUpTo(db, word, bound) })
  const [rarest] = hits.toSorted((a, b) => a.hits - b.hits)
  // A margin, since matches are not spread evenly over the list.
  const scanLimit = SCAN_FACTOR * bound
  const rare = rarest && rarest.hits < bound ? rarest.word : undefined
  return { rare, scanLimit, scansAll: files <= scanLimit }
}

const SCAN_FACTOR = 4
/** Up to this many hits are always looked up: sorting them is fast. */
const ALWAYS_BY_INDEX = 1_000

/** How many rows contain the word, counted up to `bound` in each index. */
async function countUpTo(db: Database, word: string, bound: number): Promise<number> {
  if (!db.isIndexable(word) && !hasNoDigits(word)) return bound
  const bounded = (source: SearchSource) =>
    sql`select count(*) as hits from (select 1 as hit from (${source.files(db, word)} limit ${bound}) as bounded) as counted`
  const own = hasNoDigits(word) ? sql`select ${countInShapes(db, [word])} as hits` : bounded(ownText)
  const all = sql<{ hits: number }>`(${sql.join([own, ...otherSources.map(bounded)], sql` union all `)})`
  const row = await db.query
    .selectFrom(all.as('counts'))
    .select(({ fn }) => fn.sum<number>('hits').as('hits'))
    .executeTakeFirst()
  return row?.hits ?? 0
}

/** The number of files whose own text contains all these words, including deleted files. */
function countInShapes(db: Database, words: readonly string[]): RawBuilder<number> {
  const conditions = words.map(word => db.contains(sql.ref('search_text_shapes.shape'), word))
  return sql`(select coalesce(sum(files), 0) from search_text_shapes where ${sql.join(conditions, sql` and `)})`
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
