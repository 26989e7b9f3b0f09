import { useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo } from 'react'
import { getMedia, type MediaFile, mediaPosition } from '#contract/media.ts'
import { query } from '../kit/queries.ts'
import { type Page, pageAt, pagesByDay, pagesByOffset } from './files/pages.ts'
import { type ListIndex, pageQuery } from './files/queries.ts'

/** What the viewer is given. */
export interface ViewedFile {
  /** Undefined until it has come. */
  file: MediaFile | undefined
  error: Error | null
  /** Its place in the list, from 0; undefined where it is in another. */
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  onOpen: (file: MediaFile) => void
  onClose: () => void
}

interface Props {
  id: number
  index: ListIndex
  render: (viewed: ViewedFile) => ReactNode
  onOpen: (file: MediaFile) => void
  onClose: () => void
  /** Tells at which place of the list the open file stands. */
  onPlaced: (index: number) => void
}

/** The file that the address names, with its neighbours in the list behind it. */
export function OpenedFile({ id, index, render, onOpen, onClose, onPlaced }: Props) {
  const opened = useQuery(query(getMedia, { params: { id } }))
  const place = useQuery(query(mediaPosition, { params: { id }, query: index.list })).data?.index
  const neighbours = useNeighbours(index, place)
  const placed = useEffectEvent(onPlaced)
  useEffect(() => {
    if (place !== undefined) placed(place)
  }, [place])
  return render({
    file: opened.data,
    error: opened.error,
    index: place,
    total: index.total,
    ...neighbours,
    onOpen,
    onClose,
  })
}

function useNeighbours(index: ListIndex, place: number | undefined) {
  const pages = useMemo(() => (index.days.length > 0 ? pagesByDay(index.days) : pagesByOffset(index.total)), [index])
  const around = place === undefined ? [] : [place - 1, place + 1]
  const needed = [...new Set(around.map(at => pageOf(pages, at, index.total)))].filter(page => page !== undefined)
  const answers = useQueries({ queries: needed.map(page => pageQuery(index.list, page)) })
  const fileAt = (at: number | undefined): MediaFile | undefined => {
    if (at === undefined) return undefined
    const page = pageOf(pages, at, index.total)
    return page && answers[needed.indexOf(page)]?.data?.files[at - page.start]
  }
  return { previous: fileAt(around[0]), next: fileAt(around[1]) }
}

function pageOf(pages: readonly Page[], at: number, total: number): Page | undefined {
  return at >= 0 && at < total ? pageAt(pages, at) : undefined
}
