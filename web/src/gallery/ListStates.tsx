import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect } from 'react'
import { UNKNOWN_DATE } from '#contract/edtf.ts'
import { readDate } from '#contract/read-date.ts'
import { useMe } from '../kit/me.tsx'
import { foldersQuery } from '../kit/queries.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { chipNames } from './filter-labels.ts'
import {
  type ChangeAddress,
  favouritesOf,
  folderOf,
  type GalleryAddress,
  isFiltered,
  isUndatedPlace,
  onlyFilter,
  onlyFolder,
  withoutFilters,
} from './gallery-address.ts'
import { texts } from './texts.ts'
import { readTypedDate } from './typed-date.ts'
import { useUnderstoodSearch } from './understood/understood-search.ts'
import { useWithoutOne, WithoutOne } from './understood/WithoutOne.tsx'

interface Props {
  address: GalleryAddress
  change: ChangeAddress
  /** What an empty library shows. */
  empty: ReactNode
}

/** Explains why the list is empty and offers a way on. */
export function NoFiles({ address, change, empty }: Props) {
  // Like any new list, it starts at the top.
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  const me = useMe()
  const { search = '', year, hearted_by } = address.filter
  const { parts } = useUnderstoodSearch(address)
  const withoutOne = useWithoutOne(address)
  const folder = folderOf(address)
  const { data: folders } = useQuery({ ...foldersQuery, enabled: typeof folder === 'number' })
  const hasFolders = folder !== null && folders?.some(({ parent_id }) => parent_id === folder)
  if (isFiltered(address)) {
    const { filters, search: noText, type: noType } = texts.nothingFound
    const hasChips = hearted_by !== undefined || chipNames(address).length + parts.length > 0
    const because = hasChips ? filters : search === '' ? noType : noText({ search })
    const text = withoutOne.length > 0 ? texts.understood.notTogether : because
    // Who does not find a year may find photos of the years around it.
    const decade = year === undefined ? null : readTypedDate(`${Math.floor(year / 10)}0s`)
    const typedDate = readTypedDate(search) ?? decade
    return (
      <EmptyState title={texts.nothingFound.title} text={text}>
        <WithoutOne found={withoutOne} change={change} />
        {typedDate !== null && (
          <Button
            variant="primary"
            onClick={() =>
              change({ filter: { year: undefined, search: undefined, [typedDate.field]: typedDate.value } })
            }
          >
            {texts.nothingFound.showDate({ date: typedDate.label })}
          </Button>
        )}
        {readDate(search) === UNKNOWN_DATE && (
          <Button variant="primary" onClick={() => change(onlyFilter({ undated: 'true' }))}>
            {texts.nothingFound.showUndated}
          </Button>
        )}
        <Button onClick={() => change(withoutFilters(address))}>{texts.banner.clear}</Button>
      </EmptyState>
    )
  }
  const favourites = favouritesOf(address)
  if (favourites !== null) {
    const { none, noneOfOther, show } = texts.favourites
    const { title, text } = favourites === me?.id ? none : noneOfOther
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={() => change(onlyFolder(null))}>{show}</Button>
      </EmptyState>
    )
  }
  if (isUndatedPlace(address)) {
    const { title, text, show } = texts.undated.none
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={() => change(onlyFolder(null))}>{show}</Button>
      </EmptyState>
    )
  }
  if (hasFolders) return null
  if (folder !== null) {
    const { title, text } = folder === 'root' ? texts.allInFolders : texts.emptyFolder
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={() => change({ filter: { folder_id: undefined } })}>{texts.emptyFolder.out}</Button>
      </EmptyState>
    )
  }
  return empty
}

export function NoSuchFolder({ change }: { change: ChangeAddress }) {
  return (
    <EmptyState title={texts.noSuchFolder.title} text={texts.noSuchFolder.text}>
      <Button onClick={() => change({ filter: { folder_id: undefined } })}>{texts.emptyFolder.out}</Button>
    </EmptyState>
  )
}
