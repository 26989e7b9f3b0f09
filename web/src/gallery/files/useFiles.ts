import { type QueryClient, useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { listMedia, type MediaFile, timeline } from '#contract/media.ts'
import { endpointKey } from '../../kit/queries.ts'
import type { FileList } from '../address.ts'
import { type Page, pageAt, pagesBetween } from './pages.ts'
import { pageQuery } from './queries.ts'

interface Wanted {
  list: FileList
  pages: readonly Page[]
  /** When the index that the pages were cut from was read. */
  indexReadAt: number
  /** The files on the screen and around it, both included. */
  first: number
  last: number
  /** False while the screen rushes past: what is known is shown, but nothing is fetched. */
  fetching: boolean
}

export interface Files {
  /** Undefined until its page has come. */
  fileAt: (index: number) => MediaFile | undefined
  /** Why files on the screen are missing. */
  error: Error | null
  retry: () => void
}

/** The files around the screen, fetched page by page. Pages left behind are kept for a while, and never very many. */
export function useFiles({ list, pages, indexReadAt, first, last, fetching }: Wanted): Files {
  const client = useQueryClient()
  const wanted = pagesBetween(pages, first, last)
  const answers = useQueries({ queries: wanted.map(page => ({ ...pageQuery(list, page), enabled: fetching })) })

  const disagreement = wanted
    .map((page, i) => ({ page, answer: answers[i] }))
    .find(({ page, answer }) => answer?.data !== undefined && !answer.isFetching && differs(answer.data.files, page))
  useReconciled(disagreement?.answer?.dataUpdatedAt, indexReadAt)
  useEffect(() => dropOldPages(client))

  // The cache writes every key out to find what is kept under it, and each drawing asks for every file on the screen.
  const read = new Map<Page, readonly MediaFile[]>()
  function filesOf(page: Page): readonly MediaFile[] | undefined {
    const files = read.get(page) ?? client.getQueryData(pageQuery(list, page).queryKey)?.files
    if (files !== undefined) read.set(page, files)
    return files
  }

  return {
    fileAt: index => {
      const page = pageAt(pages, index)
      return page && filesOf(page)?.[index - page.start]
    },
    error: answers.find(answer => answer.error !== null && answer.data === undefined)?.error ?? null,
    retry: () => void client.refetchQueries({ queryKey: endpointKey(listMedia), type: 'active' }),
  }
}

/** Whether a page holds another number of files than the index says. */
function differs(files: readonly MediaFile[], page: Page): boolean {
  return files.length !== page.count
}

/** How soon after one reading the same may be read again. */
const PATIENCE = 2_000

/** Files came or went between two readings: whichever is the older, index or pages, is read again. */
function useReconciled(pageReadAt: number | undefined, indexReadAt: number): void {
  const client = useQueryClient()
  const lastTry = useRef(0)
  useEffect(() => {
    if (pageReadAt === undefined || Date.now() - lastTry.current < PATIENCE) return
    lastTry.current = Date.now()
    client.invalidateQueries({ queryKey: endpointKey(pageReadAt < indexReadAt ? listMedia : timeline) })
  }, [client, pageReadAt, indexReadAt])
}

/** Pages of the list that nobody looks at: about 6,000 files. */
const MOST_KEPT = 60

function dropOldPages(client: QueryClient): void {
  const unseen = client.getQueryCache().findAll({ queryKey: endpointKey(listMedia), type: 'inactive' })
  const oldestFirst = unseen.toSorted((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  for (const page of oldestFirst.slice(0, Math.max(0, unseen.length - MOST_KEPT))) client.getQueryCache().remove(page)
}
