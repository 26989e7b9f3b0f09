import { plain } from './date-words/lookup.ts'
import type { FilterName, MediaFilter } from './media-filter.ts'
import { filterOfDate, readDate } from './read-date.ts'
import { after, isOneOf } from './search-words.ts'

/** What the words of a search can name. */
export interface SearchVocabulary {
  /** The signed-in person. */
  me?: number | undefined
  people?: readonly { id: number; name: string; username: string }[] | undefined
  /** Countries and towns, with the filter `area` of each. */
  places?: readonly { name: string; area: string }[] | undefined
  tags?: readonly { id: number; name: string }[] | undefined
  cameras?: readonly string[] | undefined
}

export type SearchPartKind = 'person' | 'loved' | 'date' | 'type' | 'undated' | 'place' | 'tag' | 'camera'

/** Words that were understood. */
export interface SearchPart {
  kind: SearchPartKind
  /** As typed, and where. */
  words: string
  from: number
  to: number
  /** What they filter by. Empty: they are searched for as words, which finds the same and more. */
  filter: Pick<MediaFilter, 'uploader' | 'hearted_by' | 'year' | 'date' | 'type' | 'undated' | 'area' | 'tag'>
  /** The person, place or tag that they name. */
  name?: string
}

export interface SearchReading {
  parts: readonly SearchPart[]
  /** With `search` for the words that are left. */
  filter: MediaFilter
}

interface Reader {
  vocabulary?: SearchVocabulary
  /** Filters that are set already: the words cannot set them again. */
  given?: readonly FilterName[]
  date?: Parameters<typeof readDate>[1]
}

/** Longer texts are searched for as they are, so that reading takes a bounded time. */
const MOST_WORDS = 24
/** "between June 1964 and August 1970" */
const LONGEST_PART = 6

interface Word {
  text: string
  from: number
  to: number
  /** In quotes: never understood as anything else. */
  quoted: boolean
}

/**
 * Which words of a search name a person, a date, a place and so on: "Kofi in Lisbon last summer". The others are searched for.
 * A date alone is left to the search, which finds files with these words, too.
 */
export function readSearch(search: string, { vocabulary = {}, given = [], date }: Reader = {}): SearchReading {
  const words = wordsOf(search)
  if (words.length > MOST_WORDS) return { parts: [], filter: { search } }
  const context: Context = { names: namesIn(vocabulary), date, taken: new Set(given.map(slotOf)) }
  const parts: SearchPart[] = []
  const left: Word[] = []
  for (let at = 0; at < words.length; ) {
    const found = longestPart(words, at, context)
    if (found === undefined) {
      left.push(words[at] as Word)
      at += 1
      continue
    }
    const { count, part } = found
    const [first, last] = [words[at] as Word, words[at + count - 1] as Word]
    parts.push({ ...part, words: search.slice(first.from, last.to), from: first.from, to: last.to })
    for (const name of Object.keys(part.filter)) context.taken.add(slotOf(name as FilterName))
    if (Object.keys(part.filter).length === 0) left.push(...words.slice(at, at + count))
    at += count
  }
  const [only] = parts
  const isDateAlone = parts.length === 1 && only?.kind === 'date' && left.length === 0
  if (parts.length === 0 || isDateAlone) return { parts: [], filter: { search: withoutQuotes(words, search) } }
  const needed = left.filter(({ text, quoted }) => quoted || !isFiller(plain(text, 'en')))
  const rest = needed.map(({ text }) => text).join(' ')
  const filter = Object.assign({}, ...parts.map(part => part.filter)) as MediaFilter
  return { parts, filter: rest === '' ? filter : { ...filter, search: rest } }
}

/** The search with other words in place of a part; quoted, they are searched for as they are. */
export function replacePart(search: string, { from, to }: Pick<SearchPart, 'from' | 'to'>, words: string): string {
  return `${search.slice(0, from)}${words}${search.slice(to)}`.replace(/\s+/g, ' ').trim()
}

export function quoted(words: string): string {
  return `"${words}"`
}

/** All its words, without quotes. */
export function plainWords(search: string): string {
  return withoutQuotes(wordsOf(search), search)
}

function withoutQuotes(words: readonly Word[], search: string): string {
  return words.some(word => word.quoted) ? words.map(({ text }) => text).join(' ') : search
}

function wordsOf(search: string): Word[] {
  const found = search.matchAll(/["“„]([^"“”„]*\S[^"“”„]*)["”“](?!\S)|\S+/g)
  return [...found].map(({ 0: all, 1: inside, index: from }) => ({
    text: inside?.trim() ?? all,
    from,
    to: from + all.length,
    quoted: inside !== undefined,
  }))
}

function isFiller(word: string): boolean {
  return isOneOf('fillers', word) || isOneOf('things', word)
}

interface Context {
  names: Names
  date: Parameters<typeof readDate>[1] | undefined
  taken: Set<string>
}

/** A year is a date, too. */
function slotOf(name: FilterName): string {
  return name === 'year' || name === 'undated' ? 'date' : name === 'place' || name === 'bounds' ? 'area' : name
}

type Understood = Pick<SearchPart, 'kind' | 'filter' | 'name'>

function longestPart(
  words: readonly Word[],
  at: number,
  context: Context,
): { count: number; part: Understood } | undefined {
  for (let count = Math.min(LONGEST_PART, words.length - at); count > 0; count--) {
    const span = words.slice(at, at + count)
    if (span.some(({ quoted }) => quoted)) continue
    const part = understand(span.map(({ text }) => text).join(' '), context)
    const isTaken = part && Object.keys(part.filter).some(name => context.taken.has(slotOf(name as FilterName)))
    if (part && !isTaken) return { count, part }
  }
  return undefined
}

function understand(typed: string, context: Context): Understood | undefined {
  const { names } = context
  const text = plain(typed, 'en')
  return (
    readKind(text) ??
    readLoved(text, names) ??
    readTag(text, names) ??
    readUploader(text, names) ??
    readPlace(text, names) ??
    readDatePart(typed, context) ??
    readBareName(text, names)
  )
}

function readKind(text: string): Understood | undefined {
  if (isOneOf('videos', text) || isOneOf('onlyVideos', text)) return { kind: 'type', filter: { type: 'video' } }
  if (isOneOf('onlyPhotos', text)) return { kind: 'type', filter: { type: 'image' } }
  return isOneOf('undated', text) ? { kind: 'undated', filter: { undated: 'true' } } : undefined
}

function readLoved(text: string, { me, people }: Names): Understood | undefined {
  const mine =
    isOneOf('favourites', text) || isOneOf('favourites', after('my', text) ?? '') || isOneOf('lovedByMe', text)
  if (mine) return me === undefined ? undefined : { kind: 'loved', filter: { hearted_by: me } }
  const owner = ownerOf(text, 'favourites')
  const person = only(people.get(after('lovedBy', text) ?? owner ?? ''))
  return person && { kind: 'loved', filter: { hearted_by: person.id }, name: person.name }
}

function readUploader(text: string, { people }: Names): Understood | undefined {
  // "Photos by Kofi", "by Kofi", "Kofi's photos", "Kofi's".
  const said = withoutThings(text)
  const name = after('by', said) ?? ownerOf(text, 'things') ?? /^(.+)['’]s?$/.exec(text)?.[1]
  const person = name === undefined ? undefined : only(people.get(name))
  return person && { kind: 'person', filter: { uploader: person.id }, name: person.name }
}

/** "kofi" of "kofi's photos", "kofis fotos" and "jonas' fotos". */
function ownerOf(text: string, what: 'things' | 'favourites'): string | undefined {
  const [, owner = '', thing = ''] = /^(.+?)(?:['’]s?|s) (.+)$/.exec(text) ?? []
  return isOneOf(what, thing) ? owner : undefined
}

function withoutThings(text: string): string {
  const space = text.indexOf(' ')
  return space > 0 && isOneOf('things', text.slice(0, space)) ? text.slice(space + 1) : text
}

function readTag(text: string, { tags }: Names): Understood | undefined {
  const tag = only(tags.get(after('tagged', text) ?? (text.startsWith('#') ? text.slice(1) : '')))
  return tag && { kind: 'tag', filter: { tag: tag.id }, name: tag.name }
}

function readPlace(text: string, { places }: Names): Understood | undefined {
  const place = only(places.get(after('at', text) ?? ''))
  return place && { kind: 'place', filter: { area: place.area }, name: place.area }
}

function readDatePart(typed: string, { date }: Context): Understood | undefined {
  if (!mayBeDate(typed)) return undefined
  const edtf = readDate(typed, date)
  const filter = edtf === undefined ? undefined : filterOfDate(edtf)
  if (filter === undefined) return undefined
  return { kind: 'date', filter: filter.field === 'year' ? { year: filter.value } : { date: filter.value } }
}

/** Reading a date takes longer than all else, and hardly any words are one. Without digits there are "last summer", "the sixties". */
function mayBeDate(typed: string): boolean {
  return /\d/.test(typed) || typed.split(' ').length <= 3
}

/** The name of a tag, a place or a camera is searched for as a word: then names and notes are found, too. */
function readBareName(text: string, { people, places, tags, cameras }: Names): Understood | undefined {
  if (isFiller(text)) return undefined
  const [tag, place, person] = [only(tags.get(text)), only(places.get(text)), only(people.get(text))]
  if (tag) return { kind: 'tag', filter: {}, name: tag.name }
  if (place) return { kind: 'place', filter: {}, name: place.area }
  if (person) return { kind: 'person', filter: { uploader: person.id }, name: person.name }
  return cameras.has(text) ? { kind: 'camera', filter: {}, name: text } : undefined
}

/** By their names as of `plain`; several where it is not clear which is meant. */
interface Names {
  me: number | undefined
  people: ReadonlyMap<string, readonly { id: number; name: string }[]>
  places: ReadonlyMap<string, readonly { area: string }[]>
  tags: ReadonlyMap<string, readonly { id: number; name: string }[]>
  cameras: ReadonlySet<string>
}

const known = new WeakMap<SearchVocabulary, Names>()

function namesIn(vocabulary: SearchVocabulary): Names {
  const before = known.get(vocabulary)
  if (before) return before
  const { me, people = [], places = [], tags = [], cameras = [] } = vocabulary
  const names: Names = {
    me,
    people: new Map([
      ...grouped(people, ({ name }) => name.split(/\s+/).filter(part => part.length > 2)),
      ...grouped(people, ({ name }) => firstNames(name)),
      // Last, so that a whole name wins over a part of somebody else's.
      ...grouped(people, ({ name, username }) => [name, username]),
    ]),
    places: grouped(places, ({ name, area }) => [name, area, name.split(', ')[0] ?? name]),
    tags: grouped(tags, ({ name }) => [name]),
    cameras: new Set(
      cameras
        .flatMap(camera => [camera, ...camera.split(/\s+/)])
        .map(key)
        .filter(isNameOfCamera),
    ),
  }
  known.set(vocabulary, names)
  return names
}

/** "Anna" and "Anna Maria" of "Anna Maria Mensah". */
function firstNames(name: string): string[] {
  const parts = name.trim().split(/\s+/)
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join(' '))
}

/** The brand, or a name with letters: "80D" alone is too short to be one. */
function isNameOfCamera(word: string): boolean {
  return /\p{L}{3}/u.test(word)
}

function grouped<Entry>(entries: readonly Entry[], namesOf: (entry: Entry) => string[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) {
    for (const name of new Set(namesOf(entry).map(key))) {
      if (name !== '') groups.set(name, [...(groups.get(name) ?? []), entry])
    }
  }
  return groups
}

function key(name: string): string {
  return plain(name.trim(), 'en').replace(/\s+/g, ' ')
}

/** The one with this name; undefined where there are several. */
function only<Entry>(entries: readonly Entry[] | undefined): Entry | undefined {
  return entries?.length === 1 ? entries[0] : undefined
}
