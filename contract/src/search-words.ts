import { plain } from './date-words/lookup.ts'

/** Words with a meaning of their own in a search, in English and German. Understood whatever the language of the page. */
const words = {
  /** Before who added something: "photos by Kofi". */
  by: [
    'by',
    'from',
    'of',
    'added by',
    'taken by',
    'uploaded by',
    'sent by',
    'von',
    'hinzugefügt von',
    'hochgeladen von',
  ],
  /** What is looked for, which says nothing about it: "Kofi's photos". */
  things: [
    ...['photo', 'photos', 'picture', 'pictures', 'pics', 'image', 'images', 'file', 'files', 'everything'],
    ...['Foto', 'Fotos', 'Bild', 'Bilder', 'Bildern', 'Aufnahme', 'Aufnahmen', 'Datei', 'Dateien', 'alles'],
  ],
  videos: ['video', 'videos', 'movie', 'movies', 'Filme'],
  onlyPhotos: ['only photos', 'photos only', 'only pictures', 'only images', 'images only', 'nur Fotos', 'nur Bilder'],
  onlyVideos: ['only videos', 'videos only', 'nur Videos', 'nur Filme'],
  favourites: [
    ...['favourites', 'favorites', 'favourite photos', 'favorite photos'],
    ...['Favoriten', 'Lieblingsfotos', 'Lieblingsbilder'],
  ],
  my: ['my', 'meine', 'meinen'],
  /** Before who loves something. */
  lovedBy: [
    'loved by',
    'liked by',
    'favourites of',
    'favorites of',
    'favourites by',
    'favorites by',
    'Favoriten von',
    'Lieblingsfotos von',
    'Lieblingsbilder von',
  ],
  lovedByMe: ['loved by me', 'liked by me', 'I love', 'die ich liebe', 'die ich mag'],
  undated: [
    'undated',
    'no date',
    'without date',
    'without a date',
    'undatiert',
    'undatierte',
    'ohne Datum',
    'kein Datum',
  ],
  /** Before a place. */
  at: ['in', 'at', 'from', 'near', 'aus', 'bei', 'nach'],
  /** Before a tag. */
  tagged: ['tag', 'tagged', 'tagged with', 'Schlagwort', 'mit Schlagwort'],
  /** Adds nothing beside what was understood. */
  fillers: [
    ...[
      'the',
      'a',
      'all',
      'and',
      'by',
      'from',
      'of',
      'in',
      'at',
      'on',
      'with',
      'show',
      'me',
      'find',
      'our',
      'that',
      'taken',
      'added',
    ],
    ...[
      'der',
      'die',
      'das',
      'dem',
      'den',
      'alle',
      'und',
      'von',
      'vom',
      'aus',
      'im',
      'am',
      'mit',
      'zeig',
      'zeige',
      'mir',
      'unsere',
    ],
  ],
} as const

export type SearchWords = keyof typeof words

const sets = new Map<SearchWords, ReadonlySet<string>>(
  (Object.keys(words) as SearchWords[]).map(kind => [kind, new Set(words[kind].map(word => plain(word, 'en')))]),
)

/** Whether this is one of these words; `text` as of `plain`. */
export function isOneOf(kind: SearchWords, text: string): boolean {
  return sets.get(kind)?.has(text) ?? false
}

/** What follows one of these words at the beginning; undefined if none is there. */
export function after(kind: SearchWords, text: string): string | undefined {
  let longest = ''
  for (const word of sets.get(kind) ?? [])
    if (word.length > longest.length && text.startsWith(`${word} `)) longest = word
  return longest === '' ? undefined : text.slice(longest.length + 1)
}
