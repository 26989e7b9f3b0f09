import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type GridFile, mediaGrid } from '#contract/grid.ts'
import { timeline } from '#contract/media-list.ts'
import { endpointKey } from '../../kit/queries.ts'
import type { ListQuery } from '../gallery-address.ts'
import { runsOf } from '../layout/days.ts'
import { type Page, pageAt, pagesBetween } from './pages.ts'
import { type ListTimeline, pageQuery } from './queries.ts'

interface FilesOptions {
  list: ListQuery
  pages: readonly Page[]
  /** When the timeline of these pages was fetched. */
  timelineReadAt: number
  /** First and last file on and around the screen, inclusive. */
  first: number
  last: number
  /** False while scrolling fast: cached files are shown, but nothing is fetched. */
  fetching: boolean
}

export interface Files {
  /** Undefined until its page is loaded. */
  fileAt: (index: number) => GridFile | undefined
  /** Why files on the screen are missing. */
  error: Error | null
  retry: () => void
}

/** Fetches the files around the screen page by page, and keeps a limited number of old pages cached. */
export function useFiles({ list, pages, timelineReadAt, first, last, fetching }: FilesOptions): Files {
  const client = useQueryClient()
  const wanted = pagesBetween(pages, first, last)
  const answers = useQueries({ queries: wanted.map(page => ({ ...pageQuery(list, page), enabled: fetching })) })

  const disagreement = wanted
    .map((page, i) => ({ page, answer: answers[i] }))
    .find(({ page, answer }) => answer?.data !== undefined && !answer.isFetching && countDiffers(answer.data, page))
  useRefetchOnMismatch(disagreement?.answer?.dataUpdatedAt, timelineReadAt)
  // After every render, because scrolling changes which pages are displayed.
  useEffect(() => evictOldPages(client))

  // Looking up a query serialises its key, so pages are memoised for this render.
  const read = new Map<Page, readonly GridFile[]>()
  function filesOf(page: Page): readonly GridFile[] | undefined {
    const files = read.get(page) ?? client.getQueryData(pageQuery(list, page).queryKey)
    if (files !== undefined) read.set(page, files)
    return files
  }

  return {
    fileAt: index => {
      const page = pageAt(pages, index)
      return page && filesOf(page)?.[index - page.start]
    },
    error: answers.find(answer => answer.error !== null && answer.data === undefined)?.error ?? null,
    retry: () => void client.refetchQueries({ queryKey: endpointKey(mediaGrid), type: 'active' }),
  }
}

/** Whether a page and the timeline disagree about the number of files. */
function countDiffers(files: readonly GridFile[], page: Page): boolean {
  return files.length !== page.count
}

/** Minimum time between two refetches, in milliseconds. */
const MIN_REFETCH_INTERVAL = 2_000

/** If timeline and page disagree because files were added or deleted in between, the older one is invalidated. */
function useRefetchOnMismatch(pageReadAt: number | undefined, timelineReadAt: number): void {
  const client = useQueryClient()
  const lastTry = useRef(0)
  useEffect(() => {
    if (pageReadAt === undefined) return
    const refetch = () => {
      lastTry.current = Date.now()
      void client.invalidateQueries({ queryKey: endpointKey(pageReadAt < timelineReadAt ? mediaGrid : timeline) })
    }
    const timer = setTimeout(refetch, Math.max(0, lastTry.current + MIN_REFETCH_INTERVAL - Date.now()))
    return () => clearTimeout(timer)
  }, [client, pageReadAt, timelineReadAt])
}

/** Cached pages that are not displayed: about 6,000 files. */
const MAX_CACHED_PAGES = 60

function evictOldPages(client: QueryClient): void {
  const unseen = client.getQueryCache().findAll({ queryKey: endpointKey(mediaGrid), type: 'inactive' })
  const oldestFirst = unseen.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  for (const page of oldestFirst.slice(0, Math.max(0, unseen.length - MAX_CACHED_PAGES)))
    client.getQueryCache().remove(page)
}

/** A list whose files are all known, in this order; by day if it is that of their dates. */
export function loadedList(files: readonly GridFile[], byDay: boolean): { timeline: ListTimeline; files: Files } {
  const runs = byDay ? runsOf(files, ({ day }) => day) : []
  const days = runs.map(([{ day }, ...others], key) => ({ day, count: others.length + 1, key }))
  return {
    timeline: {
      list: { sort: 'date', order: 'asc' },
      total: files.length,
      days,
      proportionAt: index => files[index]?.ratio ?? 1,
    },
    files: { fileAt: index => files[index], error: null, retry: () => {} },
  }
}
