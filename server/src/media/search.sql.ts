import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { FileType } from '#contract/media.ts'
import type { Database } from '../db/database.ts'
import { countFiles } from './counts.sql.ts'

/**
 * A search is a list of words, each of which must be found somewhere in a file: in its own text (name, place, camera), in
 * one of its notes or in one of its tags. Each of these is a row of its own with an index of its own, so that a note costs
 * the same however many there are. The words may be found in different rows; a word never matches across two of them.
 *
 * A new place to look in (the name of a file's folder) is one more entry here and a `search_text` in its table.
 */
interface SearchSource {
  /** The files in which the word is found, from the index. */
  files(db: Database, word: string): RawBuilder<number>
  /** Whether the word is found in the file at hand, `media.id`. */
  has(db: Database, word: string): RawBuilder<SqlBool>
}

const ownText: SearchSource = {
  files: (db, word) => db.keysContaining('media_search_texts', 'search_text', 'media_id', word),
  // No `exists`, here and below: Postgres may find all files first for one, be it for a page of a few.
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
    // From the index here too: one file can have thousands of long notes.
    has: (db, word) => sql`media.id in (${filesWithNote(db, word)})`,
  },
]

const sources = [ownText, ...otherSources]

/** A word without digits is in a file's own text exactly where it is in the text with its digits masked. */
function hasNoDigits(word: string): boolean {
  return !/[0-9]/.test(word)
}

function filesByShape(db: Database, word: string): RawBuilder<number> {
  const [shape, text] = [sql.ref<string>('search_text_shapes.shape'), sql.ref<string>('media_search_texts.search_text')]
  // `cross join`: SQLite then begins with the shapes, and finds their files by the index.
  return sql`select media_id from search_text_shapes cross join media_search_texts
    where ${db.shapeKey(db.maskDigits(text))} = ${db.shapeKey(shape)} and ${db.contains(shape, word)}`
}

function filesWithNote(db: Database, word: string): RawBuilder<number> {
  return sql`select media_id from notes where id in (${db.keysContaining('notes', 'search_text', 'id', word)})`
}

/** Looks the word up in the indexes: right for a rare word, and where all files are wanted that match. */
export function matchesByIndex(db: Database, word: string, { isRare = false } = {}): Expression<SqlBool> {
  // Without an index of trigrams all texts would be read.
  const own = isRare && !db.isIndexable(word) && hasNoDigits(word) ? filesByShape(db, word) : ownText.files(db, word)
  const found = [own, ...otherSources.map(source => source.files(db, word))]
  return sql<SqlBool>`media.id in (${sql.join(found, sql` union `)})`
}

/** Looks at the file at hand: right for a word that most files have, and where a few files are wanted. */
export function matchesByScan(db: Database, word: string): Expression<SqlBool> {
  const has = sources.map(source => source.has(db, word))
  return sql<SqlBool>`(${sql.join(has, sql` or `)})`
}

/** How to find the files of a search. */
export interface SearchPlan {
  /** This word is looked up in the indexes, and the others on each file found; undefined where every word is common. */
  rare: string | undefined
  /** So many files are looked at, in the order of the list, before the indexes are asked instead. */
  scanLimit: number
  /** Whether that is all there are, in the folder or of the type that is asked for. */
  scansAll: boolean
}

/**
 * With `files` in the list of which `hits` match, a page of `wanted` takes a look at `wanted × files ÷ hits` of them in
 * the list's order, or a look at all `hits` from the index and a sort. Both are the same at √(wanted × files) hits, so it
 * is enough to count that far.
 */
export async function planSearch(
  db: Database,
  { words, ...where }: { words: readonly string[]; folder: number | 'root' | undefined; type: FileType | undefined },
  wanted: number,
): Promise<SearchPlan> {
  const files = await countFiles(db.query, where)
  const bound = Math.max(ALWAYS_BY_INDEX, Math.ceil(Math.sqrt(wanted * files)) + 1)
  const hits = await Promise.all(words.map(async word => ({ word, hits: await countUpTo(db, word, bound) })))
  const [rarest] = hits.toSorted((a, b) => a.hits - b.hits)
  // Room for files that do not lie evenly in the list.
  const looksAt = SCAN_FACTOR * bound
  const rare = rarest && rarest.hits < bound ? rarest.word : undefined
  return { rare, scanLimit: looksAt, scansAll: files <= looksAt }
}

const SCAN_FACTOR = 4
/** So few files are found and sorted faster than anything else is decided. */
const ALWAYS_BY_INDEX = 1_000

/** How many rows hold the word, counted up to a bound in each of the indexes. */
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

/** The files whose own text has all these words, deleted ones included. */
function countInShapes(db: Database, words: readonly string[]): RawBuilder<number> {
  const conditions = words.map(word => db.contains(sql.ref('search_text_shapes.shape'), word))
  return sql`(select coalesce(sum(files), 0) from search_text_shapes where ${sql.join(conditions, sql` and `)})`
}

/**
 * How many files of the whole library match words that are common. To look at each would take a tenth of a second in
 * 100,000, so the files whose own text has them are counted from the shapes of the texts (with digits in a word, from
 * the index): less those that are deleted, and with the few that match by the help of a note or a tag.
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
