import { useQuery } from '@tanstack/react-query'
import type { MediaFilter } from '#contract/media-list.ts'
import { listPeople } from '#contract/people.ts'
import { listTags } from '#contract/tags.ts'
import { useMe } from '../kit/me.tsx'
import { foldersQuery, query } from '../kit/queries.ts'
import { formatFilterDate } from './format.ts'
import { texts } from './texts.ts'

/** What is stored by id; undefined while the names are not loaded, null where it is gone. */
interface Names {
  tag: (id: number) => string | null | undefined
  folder: (id: number) => string | null | undefined
  person: (id: number) => string | null | undefined
}

/** The search of a smart album in words, as in "videos · Norway · loved by you · 2019". Undefined while names are loading. */
export function useSearchWords(search: MediaFilter | null): string | undefined {
  const me = useMe()
  const { tag, folder_id, uploader, hearted_by } = search ?? {}
  const staleTime = 60_000
  const tags = useQuery({ ...query(listTags, {}), enabled: tag !== undefined, staleTime }).data
  const folders = useQuery({ ...foldersQuery, enabled: typeof folder_id === 'number', staleTime }).data
  const needsPeople = [uploader, hearted_by].some(id => id !== undefined && id !== me?.id)
  const people = useQuery({ ...query(listPeople, {}), enabled: needsPeople, staleTime }).data
  if (search === null) return undefined
  return searchWords(search, {
    tag: nameIn(tags),
    folder: nameIn(folders),
    person: id => (id === me?.id ? texts.searchWords.you : nameIn(people)(id)),
  })
}

function nameIn(list: readonly { id: number; name: string }[] | undefined) {
  return (id: number) => (list === undefined ? undefined : (list.find(entry => entry.id === id)?.name ?? null))
}

export function searchWords(search: MediaFilter, names: Names): string | undefined {
  const say = texts.searchWords
  const named = (name: string | null | undefined, inWords: (name: string) => string, gone: string) =>
    name === null ? gone : name && inWords(name)
  const { type, folder_id, tag, uploader, hearted_by, date } = search
  const words = [
    ...(type === undefined ? [] : [say.types[type]]),
    ...(search.search ? [say.text(search.search)] : []),
    ...(folder_id === undefined
      ? []
      : [folder_id === 'root' ? say.noFolder : named(names.folder(folder_id), say.folder, say.folderGone)]),
    ...[search.area, search.place].filter(place => place !== undefined),
    ...(search.bounds === undefined ? [] : [say.bounds]),
    ...(tag === undefined ? [] : [named(names.tag(tag), say.tag, say.tagGone)]),
    ...(hearted_by === undefined ? [] : [named(names.person(hearted_by), say.lovedBy, say.lovedBy(say.personGone))]),
    ...(uploader === undefined ? [] : [named(names.person(uploader), say.addedBy, say.addedBy(say.personGone))]),
    ...(search.camera === undefined ? [] : [say.camera(search.camera)]),
    ...(search.year === undefined ? [] : [String(search.year)]),
    ...(date === undefined ? [] : [formatFilterDate(date)]),
    ...(search.undated === undefined ? [] : [say.undated]),
  ]
  return words.includes(undefined) ? undefined : words.join(' · ')
}
