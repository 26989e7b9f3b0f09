import { useQueries, useQuery } from '@tanstack/react-query'
import {
  Calendar,
  CalendarOff,
  Camera,
  Heart,
  History,
  type LucideIcon,
  MapPin,
  Sparkles,
  Tag,
  UserRound,
} from 'lucide-react'
import { givenFilters, type MediaFilter, readMoments, references } from '#contract/media-filter.ts'
import { getPerson } from '#contract/people.ts'
import { listTags } from '#contract/tags.ts'
import { dateFormat } from '../kit/format.ts'
import { useMe } from '../kit/me.tsx'
import { foldersQuery, query } from '../kit/queries.ts'
import { formatFilterDate } from './format.ts'
import { type GalleryAddress, isPlaceFilter } from './gallery-address.ts'
import { texts } from './texts.ts'

/** What filters store by id; undefined while it is not loaded, null where it is gone. */
export interface Names {
  tag: (id: number) => string | null | undefined
  folder: (id: number) => string | null | undefined
  person: (id: number) => string | null | undefined
  isMe: (id: number) => boolean
}

/** An album is shown by its page. */
export type ShownFilter = Exclude<keyof MediaFilter, 'album'>

interface FilterLabel<Value> {
  /** Its part of the description of a smart album; undefined while names are loading. */
  words: (value: Value, names: Names) => string | undefined
  /** Absent where another control or the heading shows it. */
  chip?: {
    icon: LucideIcon
    /** If it is not the value itself. */
    label?: (value: Value, names: Names) => string
    /** What removing it does, if its label does not say. */
    remove?: string
  }
}

const say = texts.searchWords

/** How each filter is shown, in the order in which they are. */
const filterLabels: { [Name in ShownFilter]: FilterLabel<NonNullable<MediaFilter[Name]>> } = {
  type: { words: type => say.types[type] },
  search: { words: text => say.text({ text }) },
  folder_id: {
    words: (id, names) => (id === 'root' ? say.noFolder : named(names.folder(id), say.folder, say.folderGone)),
  },
  area: { words: area => area, chip: { icon: MapPin } },
  place: { words: place => place, chip: { icon: MapPin } },
  bounds: { words: () => say.bounds },
  tag: {
    words: (id, names) => named(names.tag(id), say.tag, say.tagGone),
    chip: { icon: Tag, label: (id, names) => names.tag(id) ?? texts.suggestions.tag },
  },
  hearted_by: {
    words: (id, names) => (names.isMe(id) ? say.lovedByYou : named(names.person(id), say.lovedBy, say.lovedByGone)),
    chip: { icon: Heart, label: favouritesLabel },
  },
  uploader: {
    words: (id, names) => (names.isMe(id) ? say.addedByYou : named(names.person(id), say.addedBy, say.addedByGone)),
    chip: { icon: UserRound, label: (id, names) => names.person(id) ?? texts.suggestions.uploader },
  },
  camera: { words: name => say.camera({ name }), chip: { icon: Camera } },
  year: { words: String, chip: { icon: Calendar } },
  date: { words: date => formatFilterDate(date), chip: { icon: Calendar, label: date => formatFilterDate(date) } },
  undated: {
    words: () => say.undated,
    chip: { icon: CalendarOff, label: () => texts.undated.heading, remove: texts.undated.remove },
  },
  memory: { words: memoryLabel, chip: { icon: History, label: memoryLabel } },
  added: { words: addedLabel, chip: { icon: Sparkles, label: addedLabel } },
  new_since: { words: newSinceLabel, chip: { icon: Sparkles, label: newSinceLabel } },
}

function named(
  name: string | null | undefined,
  inWords: (values: { name: string }) => string,
  gone: string,
): string | undefined {
  return name === null ? gone : name && inWords({ name })
}

/** The name of a person's favourites, as in "Favourites" or "Loved by Rose". */
function favouritesLabel(id: number, names: Names): string {
  return names.isMe(id) ? texts.favourites.heading : texts.favourites.of({ name: names.person(id) ?? '…' })
}

function memoryLabel(day: string): string {
  return texts.memory({ date: formatFilterDate(day) })
}

/** As in "Added 18 Nov 2026". */
function addedLabel(moments: string): string {
  const { first, last } = readMoments(moments) ?? { first: 0, last: 0 }
  return texts.added({ when: dateFormat(undefined, { dateStyle: 'medium' }).formatRange(first, last) })
}

function newSinceLabel(moment: string): string {
  const format = dateFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
  return texts.newSince({ moment: format.format(new Date(moment)) })
}

const shownFilters = Object.keys(filterLabels) as ShownFilter[]

/** The names of what a filter stores by id. */
function useFilterNames(filter: MediaFilter): Names {
  const me = useMe()
  const staleTime = 60_000
  const idsOf = (kind: (typeof references)[number]['refersTo']) =>
    references.map(({ name, refersTo }) => (refersTo === kind ? filter[name] : undefined)).filter(isId)
  const tags = useQuery({ ...query(listTags, {}), enabled: idsOf('tag').length > 0, staleTime }).data
  const folders = useQuery({ ...foldersQuery, enabled: idsOf('folder').length > 0, staleTime }).data
  // Also of those who have left.
  const others = idsOf('person').filter(id => id !== me?.id)
  const people = useQueries({ queries: others.map(id => ({ ...query(getPerson, { params: { id } }), staleTime })) })
  return {
    tag: nameIn(tags),
    folder: nameIn(folders),
    person: id => {
      if (id === me?.id) return me.name
      const person = people[others.indexOf(id)]
      return person?.isError ? null : person?.data?.name
    },
    isMe: id => id === me?.id,
  }
}

function isId(value: number | 'root' | undefined): value is number {
  return typeof value === 'number'
}

function nameIn(list: readonly { id: number; name: string }[] | undefined) {
  return (id: number) => (list === undefined ? undefined : (list.find(entry => entry.id === id)?.name ?? null))
}

/** The name of a person's favourites; undefined for nobody's. */
export function useFavouritesName(personId: number | null): string | undefined {
  const names = useFilterNames(personId === null ? {} : { hearted_by: personId })
  return personId === null ? undefined : favouritesLabel(personId, names)
}

/** The search of a smart album in words, as in "videos · Norway · loved by you · 2019". Undefined while names are loading. */
export function useSearchWords(search: MediaFilter | null): string | undefined {
  const names = useFilterNames(search ?? {})
  return search === null ? undefined : searchWords(search, names)
}

export function searchWords(search: MediaFilter, names: Names): string | undefined {
  const words = givenIn(search).map(name => labelOf(name).words(search[name], names))
  return words.includes(undefined) ? undefined : words.join(' · ')
}

export interface Chip {
  name: ShownFilter
  icon: LucideIcon
  label: string
  /** What removing it does. */
  remove: string
}

/** The filters that are shown as chips, without those that are a place of their own. */
export function chipNames(address: GalleryAddress): ShownFilter[] {
  return givenIn(address.filter).filter(name => filterLabels[name].chip && !isPlaceFilter(address, name))
}

export function useChips(address: GalleryAddress): Chip[] {
  const { filter } = address
  const names = useFilterNames(filter)
  return chipNames(address).flatMap(name => {
    const { chip } = labelOf(name)
    if (!chip) return []
    const label = chip.label?.(filter[name], names) ?? String(filter[name])
    const { remove } = texts.suggestions
    const kind = name in remove ? (name as keyof typeof remove) : 'other'
    return { name, icon: chip.icon, label, remove: chip.remove ?? remove[kind]({ label }) }
  })
}

export function iconOf(name: ShownFilter): LucideIcon | undefined {
  return filterLabels[name].chip?.icon
}

function givenIn(filter: MediaFilter): ShownFilter[] {
  const given = givenFilters(filter)
  return shownFilters.filter(name => given.includes(name))
}

/** The row of a filter, for the value that the same filter has. */
function labelOf(name: ShownFilter): FilterLabel<unknown> {
  return filterLabels[name] as FilterLabel<unknown>
}
