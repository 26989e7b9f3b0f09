import { type QueryClient, queryOptions, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { type GridFile, mediaGrid } from '#contract/grid.ts'
import { getMedia, type MediaFile } from '#contract/media.ts'
import { listMedia, mediaPosition } from '#contract/media-list.ts'
import { useHasUnconfirmedHearts, useHeartsOf } from '../hearts/hearts.ts'
import { ApiError } from '../kit/api.ts'
import { useMe } from '../kit/me.tsx'
import { endpointKey, query } from '../kit/queries.ts'
import { usePollInterval } from '../live/status.ts'
import type { FileActions, NamedFile, TilePicture, ViewedFile } from '../media/viewed-file.ts'
import { useLatest } from '../ui/hooks.ts'
import type { BrowserHandle } from './browser/FileBrowser.tsx'
import { type ListTimeline, PREPARING_POLL } from './files/queries.ts'
import type { ChangeAddress, GalleryAddress } from './gallery-address.ts'
import { loadedThumbnail } from './thumbnail-source.ts'

interface Props {
  id: number
  note: GalleryAddress['note']
  timeline: ListTimeline
  actions: FileActions
  render: (viewed: ViewedFile) => ReactNode
  /** Another file is open. */
  onShown: (id: number) => void
  onClose: () => void
  /** Reports the position of the open file in the list. */
  onPosition: (index: number) => void
}

/** The file named by the URL, with its neighbours in the list. */
export function OpenedFile({ id: addressed, note, timeline, actions, render, onShown, onClose, onPosition }: Props) {
  const client = useQueryClient()
  const { id, showFile, stopWriting } = useShownFile(addressed, onShown)
  const close = () => {
    stopWriting()
    onClose()
  }
  const poll = usePollInterval(PREPARING_POLL)
  const opened = useQuery({
    ...query(getMedia, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isBeingPrepared(state.data) ? poll : false),
  })
  // Shows the list's data until the full details are loaded.
  const listed = useMemo(() => findInLists(client, id), [client, id])
  const file = opened.data ?? listed
  const tile = useMemo(() => findTile(client, id), [client, id])
  const unloved = useRemovedFromFavourites(id, timeline)
  const { position, left } = usePosition(id, timeline, !unloved)
  const removed = unloved || left
  const neighbours = useNeighbours(id, timeline, position, removed)
  const shownNow = useLatest(id)
  /** The file that is open because the one before it was deleted. */
  const [openedAfterDelete, setOpenedAfterDelete] = useState<number | null>(null)
  const reportPosition = useEffectEvent(onPosition)
  useEffect(() => {
    if (position !== undefined) reportPosition(position)
  }, [position])

  function open(other: MediaFile) {
    setOpenedAfterDelete(null)
    const at = [neighbours.previous, neighbours.next].findIndex(neighbour => neighbour?.id === other.id)
    // Caches the position of the neighbour, which is known unless the list is changing, so that the next arrow key need
    // not wait for the server.
    if (position !== undefined && at >= 0 && !removed) {
      client.setQueryData(positionQuery(other.id, timeline).queryKey, { index: position + (at === 0 ? -1 : 1) })
    }
    showFile(other.id)
  }

  function leave() {
    // The person may have opened another file by now.
    if (shownNow.current !== id) return
    const { next, previous } = neighbours
    const neighbour = next ?? previous
    if (neighbour === undefined) return close()
    open(neighbour)
    setOpenedAfterDelete(neighbour.id)
  }
  return render({
    id,
    file,
    tile,
    photoInTile: () => document.querySelector(`[data-index="${removed ? undefined : position}"] .photo`),
    metadata: opened.data?.metadata,
    error: opened.error,
    refresh: async () => (await opened.refetch()).data,
    index: removed ? undefined : position,
    total: timeline.total,
    ...neighbours,
    note: id === addressed ? note : null,
    startsPlaying: id !== openedAfterDelete,
    actions: { ...actions, delete: viewed => actions.delete(viewed, leave) },
    onOpen: open,
    onClose: close,
  })
}

function isBeingPrepared({ status, compatible }: MediaFile): boolean {
  return status === 'processing' || (compatible !== null && compatible.progress !== null)
}

/** Delay before the URL follows, in milliseconds. */
const URL_DEBOUNCE = 250

/**
 * The open file and a way to open another. The URL follows debounced, because browsers limit how often it may change
 * while an arrow key is held down.
 */
function useShownFile(addressed: number, onShown: (id: number) => void) {
  const [shown, setShown] = useState(addressed)
  const [before, setBefore] = useState(addressed)
  const [written, setWritten] = useState(addressed)
  if (addressed !== before) {
    setBefore(addressed)
    // The URL was changed by Back or a link, not by our own debounced update.
    if (addressed !== written) setShown(addressed)
  }
  const left = useRef(false)
  const write = useEffectEvent(() => {
    // The viewer was closed before the update; it must not open again.
    if (left.current) return
    setWritten(shown)
    onShown(shown)
  })
  useEffect(() => {
    if (shown === addressed) return
    const timer = setTimeout(write, URL_DEBOUNCE)
    return () => clearTimeout(timer)
  }, [shown, addressed])
  return {
    id: shown,
    showFile: setShown,
    stopWriting: () => {
      left.current = true
    },
  }
}

function positionQuery(id: number, { list }: ListTimeline) {
  return query(mediaPosition, { params: { id }, query: list })
}

/**
 * Its last position stays known while it is not listed, which the server would answer with an error. `left`: the file is not
 * in the list any more, after a new name or a move, say.
 */
function usePosition(id: number, timeline: ListTimeline, listed: boolean) {
  const { data, error } = useQuery({ ...positionQuery(id, timeline), staleTime: 60_000, enabled: listed })
  return { position: data?.index, left: error instanceof ApiError && error.status === 404 }
}

/**
 * Whether the list shows the person's own favourites and the file is none, or not yet one again for the server. It stays
 * open, so that it can be added again.
 */
function useRemovedFromFavourites(id: number, { list }: ListTimeline): boolean {
  const me = useMe()
  const { hearted } = useHeartsOf(id)
  const isUnconfirmed = useHasUnconfirmedHearts()
  return me !== null && list.hearted_by === me.id && (!hearted || isUnconfirmed)
}

function findInLists(client: QueryClient, id: number): MediaFile | undefined {
  const pages = client.getQueriesData<{ files?: readonly MediaFile[] }>({ queryKey: endpointKey(listMedia) })
  for (const [, page] of pages) {
    const file = page?.files?.find(file => file.id === id)
    if (file !== undefined) return file
  }
  return undefined
}

function findTile(client: QueryClient, id: number): TilePicture | undefined {
  const pages = client.getQueriesData<readonly GridFile[]>({ queryKey: endpointKey(mediaGrid) })
  for (const [, page] of pages) {
    const file = page?.find(file => file.id === id)
    if (file?.status === 'ready') return { ...file, url: loadedThumbnail(id) }
  }
  return undefined
}

/** Files are fetched in windows, so that a person who holds an arrow key down waits for few requests. */
export const NEIGHBOURS = 24
/** When this close to the end of a window, the next one is fetched. */
const PREFETCH_AROUND = 8

function windowQuery({ list }: ListTimeline, offset: number) {
  return queryOptions({
    ...query(listMedia, { query: { ...list, offset, limit: NEIGHBOURS } }),
    staleTime: 60_000,
  })
}

/** `removed`: the file may have left the list, where the next one is at its position by now. */
function useNeighbours(id: number, timeline: ListTimeline, position: number | undefined, removed: boolean) {
  const isLast = position !== undefined && position >= timeline.total - 1
  const around =
    position === undefined
      ? []
      : [position, position - PREFETCH_AROUND, position + PREFETCH_AROUND, isLast ? 0 : position]
  const windows = [...new Set(around.filter(at => at >= 0 && at < timeline.total).map(windowOf))]
  const answers = useQueries({ queries: windows.map(number => windowQuery(timeline, number * NEIGHBOURS)) })
  const fileAt = (at: number): MediaFile | undefined =>
    at < 0 ? undefined : answers[windows.indexOf(windowOf(at))]?.data?.files[at % NEIGHBOURS]
  if (position === undefined) return { previous: undefined, next: undefined, first: undefined, prefetch: [] }
  const listed = fileAt(position)
  const nextPosition = removed && listed !== undefined && listed.id !== id ? position : position + 1
  const [previous, next] = [fileAt(position - 1), fileAt(nextPosition)]
  const first = isLast && next === undefined && position > 0 ? fileAt(0) : undefined
  const prefetch = [next, fileAt(nextPosition + 1), previous, first].filter(file => file !== undefined)
  return { previous, next, first, prefetch }
}

function windowOf(at: number): number {
  return Math.floor(at / NEIGHBOURS)
}

/** The open file is part of the URL, so that Back closes it. */
export function useOpenFile(
  address: GalleryAddress,
  change: ChangeAddress,
  browser: { current: BrowserHandle | null },
) {
  const navigate = useNavigate()
  const openedHere = useRef(false)
  const lastIndex = useRef<number | null>(null)

  const open = address.file !== null
  useEffect(() => {
    if (open || lastIndex.current === null) return
    // After closing, the focus goes to the file that was open last.
    browser.current?.focus(lastIndex.current)
    lastIndex.current = null
    openedHere.current = false
  }, [open, browser])

  return {
    open: (file: NamedFile) => {
      openedHere.current = true
      change({ file: file.id })
    },
    writeNote: (file: NamedFile) => {
      openedHere.current = true
      change({ file: file.id, note: 'new' })
    },
    replaceFile: (id: number) => change({ file: id, note: null }, { replace: true }),
    close: () => (openedHere.current ? navigate(-1) : change({ file: null, note: null }, { replace: true })),
    onPosition: (index: number) => {
      lastIndex.current = index
    },
  }
}
