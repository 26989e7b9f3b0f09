import { type QueryClient, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { getMedia, listMedia, type MediaFile, mediaPosition } from '#contract/media.ts'
import { endpointKey, query } from '../kit/queries.ts'
import type { FileActs, ViewedFile } from '../kit/viewed-file.ts'
import { useLatest } from '../ui/hooks.ts'
import type { GalleryAddress } from './address.ts'
import { type Page, pageAt, pagesOf } from './files/pages.ts'
import { type ListIndex, pageQuery } from './files/queries.ts'

interface Props {
  id: number
  note: GalleryAddress['note']
  index: ListIndex
  acts: FileActs
  render: (viewed: ViewedFile) => ReactNode
  /** Another file was turned to. */
  onTurned: (id: number) => void
  onClose: () => void
  /** Tells at which place of the list the open file stands. */
  onPlaced: (index: number) => void
}

/** The file that the address names, with its neighbours in the list behind it. */
export function OpenedFile({ id: addressed, note, index, acts, render, onTurned, onClose, onPlaced }: Props) {
  const client = useQueryClient()
  const { id, turnTo, writeNoMore } = useTurning(addressed, onTurned)
  const close = () => {
    writeNoMore()
    onClose()
  }
  const opened = useQuery({
    ...query(getMedia, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isBeingPrepared(state.data) ? PREPARING : false),
  })
  // The list knows nearly all of it already, so that nothing has to be waited for.
  const listed = useMemo(() => findInLists(client, id), [client, id])
  const file = opened.data ?? listed
  const place = usePlace(id, index)
  const neighbours = useNeighbours(index, place)
  const shownNow = useLatest(id)
  const placed = useEffectEvent(onPlaced)
  useEffect(() => {
    if (place !== undefined) placed(place)
  }, [place])

  function open(turned: MediaFile) {
    const at = [neighbours.previous, neighbours.next].findIndex(neighbour => neighbour?.id === turned.id)
    // Where a neighbour stands is known; so the next arrow key need not wait for an answer.
    if (place !== undefined && at >= 0) {
      client.setQueryData(positionQuery(turned.id, index).queryKey, { index: place + (at === 0 ? -1 : 1) })
    }
    turnTo(turned.id)
  }

  function leave() {
    // Whoever has turned on meanwhile stays where they are.
    if (shownNow.current !== id) return
    const { next, previous } = neighbours
    const neighbour = next ?? previous
    if (neighbour === undefined) close()
    else open(neighbour)
  }
  return render({
    id,
    file,
    metadata: opened.data?.metadata,
    error: opened.error,
    refresh: async () => (await opened.refetch()).data,
    index: place,
    total: index.total,
    ...neighbours,
    note: id === addressed ? note : null,
    acts: { ...acts, delete: viewed => acts.delete(viewed, leave) },
    onOpen: open,
    onClose: close,
  })
}

function isBeingPrepared({ status, compatible }: MediaFile): boolean {
  return status === 'processing' || (compatible !== null && compatible.progress !== null)
}

/** How soon to look again at a file that the server is still preparing. */
const PREPARING = 2_000

/** How long somebody has to rest on a file before the address names it. */
const REST = 250

/**
 * The file that is shown, and a way to turn to another. The address follows when the person rests: browsers refuse to
 * write it as often as an arrow key that is held down turns.
 */
function useTurning(addressed: number, onTurned: (id: number) => void) {
  const [shown, setShown] = useState(addressed)
  const [before, setBefore] = useState(addressed)
  const [written, setWritten] = useState(addressed)
  if (addressed !== before) {
    setBefore(addressed)
    // Somebody went back, or followed a link: not an echo of our own writing, behind which more turns may have come.
    if (addressed !== written) setShown(addressed)
  }
  const left = useRef(false)
  const write = useEffectEvent(() => {
    // Whoever turned and closed at once must not find the photo open again.
    if (left.current) return
    setWritten(shown)
    onTurned(shown)
  })
  useEffect(() => {
    if (shown === addressed) return
    const timer = setTimeout(write, REST)
    return () => clearTimeout(timer)
  }, [shown, addressed])
  return {
    id: shown,
    turnTo: setShown,
    writeNoMore: () => {
      left.current = true
    },
  }
}

function positionQuery(id: number, { list }: ListIndex) {
  return query(mediaPosition, { params: { id }, query: list })
}

function usePlace(id: number, index: ListIndex): number | undefined {
  return useQuery({ ...positionQuery(id, index), staleTime: 60_000 }).data?.index
}

function findInLists(client: QueryClient, id: number): MediaFile | undefined {
  const pages = client.getQueriesData<{ files?: readonly MediaFile[] }>({ queryKey: endpointKey(listMedia) })
  for (const [, page] of pages) {
    const file = page?.files?.find(file => file.id === id)
    if (file !== undefined) return file
  }
  return undefined
}

/** How far the list is known around the open file, for somebody who holds an arrow key down. */
const AHEAD = 12

function useNeighbours(index: ListIndex, place: number | undefined) {
  const pages = pagesOf(index)
  const isLast = place !== undefined && place === index.total - 1
  const wanted = place === undefined ? [] : [place - AHEAD, place - 1, place + 1, place + AHEAD, isLast ? 0 : place]
  const needed = [...new Set(wanted.map(at => pageOf(pages, at, index.total)))].filter(page => page !== undefined)
  const answers = useQueries({ queries: needed.map(page => pageQuery(index.list, page)) })
  const fileAt = (at: number): MediaFile | undefined => {
    const page = pageOf(pages, at, index.total)
    return page && answers[needed.indexOf(page)]?.data?.files[at - page.start]
  }
  if (place === undefined) return { previous: undefined, next: undefined, first: undefined, soon: [] }
  const first = isLast && place > 0 ? fileAt(0) : undefined
  const [previous, next] = [fileAt(place - 1), fileAt(place + 1)]
  const soon = [next, fileAt(place + 2), previous, first].filter(file => file !== undefined)
  return { previous, next, first, soon }
}

function pageOf(pages: readonly Page[], at: number, total: number): Page | undefined {
  return at >= 0 && at < total ? pageAt(pages, at) : undefined
}
