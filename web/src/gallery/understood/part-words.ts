import {
  Calendar,
  CalendarOff,
  Camera,
  Film,
  Heart,
  ImageIcon,
  type LucideIcon,
  MapPin,
  Tag,
  UserRound,
} from 'lucide-react'
import { quoted, type SearchPart, type SearchPartKind } from '#contract/read-search.ts'
import { formatFilterDate } from '../format.ts'
import { texts } from '../texts.ts'

const say = texts.understood

const icons: Record<SearchPartKind, LucideIcon> = {
  person: UserRound,
  loved: Heart,
  date: Calendar,
  type: Film,
  undated: CalendarOff,
  place: MapPin,
  tag: Tag,
  camera: Camera,
}

export function iconOfPart({ kind, filter }: SearchPart): LucideIcon {
  return filter.type === 'image' ? ImageIcon : icons[kind]
}

/** What a part of the search is understood as. */
export function labelOfPart({ kind, words, filter, name }: SearchPart): string {
  if (filter.date !== undefined) return formatFilterDate(filter.date)
  if (filter.year !== undefined) return String(filter.year)
  if (filter.type !== undefined) return texts.type[filter.type]
  if (kind === 'loved') return name === undefined ? texts.favourites.heading : texts.favourites.of({ name })
  if (kind === 'undated') return texts.undated.heading
  return kind === 'person' || Object.keys(filter).length > 0 ? (name ?? words) : words
}

export interface Alternative {
  label: string
  /** The words to write in place of the part. */
  words: string
}

/** What else the words of a part can mean; the last one is to search for them as they are. */
export function alternativesOf({ kind, words, filter, name }: SearchPart): Alternative[] {
  const isFilter = Object.keys(filter).length > 0
  return [
    ...(name === undefined ? [] : namedAlternatives(kind, name, isFilter)),
    ...(isFilter ? [{ label: say.asWords({ words }), words: quoted(words.replace(/["“”„]/g, '')) }] : []),
  ]
}

function namedAlternatives(kind: SearchPartKind, name: string, isFilter: boolean): Alternative[] {
  switch (kind) {
    case 'person':
      return [{ label: say.loved({ name }), words: say.phrases.lovedBy({ name }) }]
    case 'loved':
      return [{ label: say.added({ name }), words: say.phrases.by({ name }) }]
    case 'place':
      return isFilter ? [] : [{ label: say.onlyPlace({ place: name }), words: say.phrases.at({ place: name }) }]
    case 'tag':
      return isFilter ? [] : [{ label: say.onlyTag({ tag: name }), words: say.phrases.tagged({ tag: name }) }]
    default:
      return []
  }
}
