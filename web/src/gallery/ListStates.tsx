import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useLayoutEffect } from 'react'
import { UNKNOWN_DATE } from '#contract/edtf.ts'
import { useMe } from '../kit/me.tsx'
import { foldersQuery } from '../kit/queries.ts'
import { readDate } from '../media/read-date.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import {
  type ChangeAddress,
  chipFields,
  favouritesOf,
  type GalleryAddress,
  isFiltered,
  isUndatedPlace,
  unfiltered,
  withoutFilters,
} from './gallery-address.ts'
import { texts } from './texts.ts'
import { readTypedDate } from './typed-date.ts'

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
  const { search, folder } = address
  const { data: folders } = useQuery({ ...foldersQuery, enabled: typeof folder === 'number' })
  const hasFolders = folder !== null && folders?.some(({ parent_id }) => parent_id === folder)
  if (isFiltered(address)) {
    const { filters, search: noText, type: noType } = texts.nothingFound
    const hasChips = address.heartedBy !== null || chipFields.some(field => address[field] !== null)
    const text = hasChips ? filters : search === '' ? noType : noText(search)
    // A photo of the 1960s is in no single year.
    const decade = address.year === null ? null : readTypedDate(`${Math.floor(address.year / 10)}0s`)
    const typedDate = readTypedDate(search) ?? decade
    return (
      <EmptyState title={texts.nothingFound.title} text={text}>
        {typedDate !== null && (
          <Button
            variant="primary"
            onClick={() => change({ year: null, [typedDate.field]: typedDate.value, search: '' })}
          >
            {texts.nothingFound.showDate(typedDate.label)}
          </Button>
        )}
        {readDate(search) === UNKNOWN_DATE && (
          <Button variant="primary" onClick={() => change({ ...unfiltered(null), undated: true })}>
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
        <Button onClick={() => change(unfiltered(null))}>{show}</Button>
      </EmptyState>
    )
  }
  if (isUndatedPlace(address)) {
    const { title, text, show } = texts.undated.none
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={() => change(unfiltered(null))}>{show}</Button>
      </EmptyState>
    )
  }
  if (hasFolders) return null
  if (folder !== null) {
    const { title, text } = folder === 'root' ? texts.allInFolders : texts.emptyFolder
    return (
      <EmptyState title={title} text={text}>
        <Button onClick={() => change({ folder: null })}>{texts.emptyFolder.out}</Button>
      </EmptyState>
    )
  }
  return empty
}

export function NoSuchFolder({ change }: { change: ChangeAddress }) {
  return (
    <EmptyState title={texts.noSuchFolder.title} text={texts.noSuchFolder.text}>
      <Button onClick={() => change({ folder: null })}>{texts.emptyFolder.out}</Button>
    </EmptyState>
  )
}
