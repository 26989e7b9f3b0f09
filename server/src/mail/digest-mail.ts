import { mail as limits } from '#contract/limits.ts'
import type { Locale } from '#messages/locales.ts'
import { textsIn } from '../kit/messages.ts'
import type { DigestContent } from './digest.ts'
import { type Block, type MailContent, oneLine, type Picture, plainName } from './render.ts'

export interface DigestOptions {
  library: string
  locale: Locale
  /** The day from which on it tells. */
  day: string
  /** Sent to try it, also if nothing has happened. */
  isTrial: boolean
  pictures: readonly Picture[]
  urlOf: (path: string) => string
}

export function digestContent(content: DigestContent, options: DigestOptions): Omit<MailContent, 'footer'> {
  const { library, locale, day, isTrial, pictures, urlOf } = options
  const texts = textsIn('mail', locale).digest
  const what = subjectOf(content, locale)
  const sections = [
    uploadsOf(content, locale, pictures),
    notesOf(content, locale, urlOf),
    heartsOf(content, locale),
    albumsOf(content, locale, urlOf),
    memoriesOf(content, locale, urlOf),
  ]
  const intro: Block[] = isTrial ? [{ type: 'text', text: what === '' ? texts.tryNothing : texts.tryText }] : []
  return {
    subject: isTrial ? texts.trySubject({ library }) : texts.subject({ library, what }),
    blocks: [
      { type: 'title', text: texts.heading({ day: dateIn(locale, day) }) },
      ...intro,
      ...sections.flat(),
      { type: 'button', text: texts.open({ library }), url: urlOf('/') },
    ],
  }
}

type Kind = 'photos' | 'videos' | 'other'

function kindOf({ files, photos }: { files: number; photos: number }): Kind {
  return photos === files ? 'photos' : photos === 0 ? 'videos' : 'other'
}

/** As in "12 new photos, 2 notes". No names: those of people never are in headers. */
function subjectOf({ uploaders, notes, hearts, albums }: DigestContent, locale: Locale): string {
  const texts = textsIn('mail', locale).digest
  const sum = (rows: readonly { files: number }[]) => rows.reduce((all, { files }) => all + files, 0)
  const photos = uploaders.reduce((all, row) => all + row.photos, 0)
  const files = sum(uploaders)
  const parts = [
    files > 0 && texts.files({ kind: kindOf({ files, photos }), count: files }),
    notes[0] && texts.notes({ count: notes[0].all }),
    hearts.length > 0 && texts.hearts({ count: sum(hearts) }),
    albums.length > 0 && texts.albums({ count: albums.length }),
  ]
  return parts.filter(part => typeof part === 'string').join(', ')
}

function uploadsOf({ uploaders }: DigestContent, locale: Locale, pictures: readonly Picture[]): Block[] {
  const texts = textsIn('mail', locale).digest
  const lines = linesOf(
    uploaders,
    row => ({ type: 'text', text: texts.added({ name: plainName(row.name), kind: kindOf(row), count: row.files }) }),
    count => texts.moreUploaders({ count }),
  )
  return pictures.length > 0 ? [...lines, { type: 'pictures', pictures }] : lines
}

function notesOf({ notes }: DigestContent, locale: Locale, urlOf: DigestOptions['urlOf']): Block[] {
  const texts = textsIn('mail', locale).digest
  const blocks = notes.map((note): Block => {
    const name = plainName(note.name)
    const text = oneLine(note.content)
    if (note.media_id === null) {
      const url = urlOf(`/albums/${note.album_id}#comment-${note.id}`)
      return { type: 'link', text: texts.noteOnAlbum({ name, text, album: oneLine(note.title ?? '', 80) }), url }
    }
    const caption = oneLine(note.caption ?? '', 60)
    const kind = note.file_type === 'image' ? 'photo' : 'other'
    return {
      type: 'link',
      text: caption === '' ? texts.noteOnPhoto({ name, text, kind }) : texts.noteOnCaption({ name, text, caption }),
      url: urlOf(`/?file=${note.media_id}&note=${note.id}`),
    }
  })
  const more = (notes[0]?.all ?? 0) - notes.length
  if (more > 0) blocks.push({ type: 'text', text: texts.moreNotes({ count: more }) })
  return section(texts.notesHeading, blocks)
}

function heartsOf({ hearts }: DigestContent, locale: Locale): Block[] {
  const texts = textsIn('mail', locale).digest
  return section(
    texts.heartsHeading,
    linesOf(
      hearts,
      ({ name, files }) => ({ type: 'text', text: texts.loves({ name: plainName(name), count: files }) }),
      count => texts.moreHearts({ count }),
    ),
  )
}

function albumsOf({ albums }: DigestContent, locale: Locale, urlOf: DigestOptions['urlOf']): Block[] {
  const texts = textsIn('mail', locale).digest
  return section(
    texts.albumsHeading,
    linesOf(
      albums,
      ({ id, name, title }) => ({
        type: 'link',
        text: texts.album({ name: plainName(name), album: oneLine(title, 80) }),
        url: urlOf(`/albums/${id}`),
      }),
      count => texts.moreAlbums({ count }),
    ),
  )
}

function memoriesOf({ memories }: DigestContent, locale: Locale, urlOf: DigestOptions['urlOf']): Block[] {
  const texts = textsIn('mail', locale).digest
  return section(
    texts.memoriesHeading,
    memories.slice(0, limits.lines).map(({ date, place, count }): Block => {
      const day = dateIn(locale, date)
      return {
        type: 'link',
        text: place === null ? texts.memory({ day, count }) : texts.memoryAt({ day, place: oneLine(place, 60), count }),
        url: urlOf(`/memories?day=${date.slice(5)}`),
      }
    }),
  )
}

function section(heading: string, blocks: readonly Block[]): Block[] {
  return blocks.length === 0 ? [] : [{ type: 'heading', text: heading }, ...blocks]
}

/** The first few, and how many others there are. */
function linesOf<Row>(rows: readonly Row[], line: (row: Row) => Block, more: (count: number) => string): Block[] {
  const shown = rows.slice(0, limits.lines)
  const rest = rows.length - shown.length
  return [...shown.map(line), ...(rest > 0 ? [{ type: 'text', text: more(rest) } as const] : [])]
}

export function dateIn(locale: Locale, date: string): string {
  return new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(date),
  )
}
