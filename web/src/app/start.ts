import type { QueryClient } from '@tanstack/react-query'
import { whoAmI } from '#contract/auth.ts'
import { readGrid } from '#contract/grid.ts'
import { start } from '#contract/start.ts'
import { pagesOf } from '../gallery/files/pages.ts'
import { createListTimeline, pageQuery, statsQuery, timelineQuery } from '../gallery/files/queries.ts'
import { listOf, readAddress } from '../gallery/gallery-address.ts'
import { parseAnswer } from '../kit/api.ts'
import { recordLivePosition } from '../kit/live-position.ts'
import { query } from '../kit/queries.ts'
import { SLOW_ANSWER, waitOrWakeUp } from '../kit/reachability.ts'
import { readToken } from '../kit/token.ts'
import { topQuery } from '../memories/queries.ts'

declare global {
  /** The request that the script in index.html sent while the program was loading. */
  var startRequest:
    | { token: string; proportions: boolean; today: string; answer: Promise<{ status: number; text: string }> }
    | undefined
}

/** The default gallery, which is the only one that index.html requests. */
const list = listOf(readAddress(new URLSearchParams()))

/**
 * Puts the prefetched first screen into the query cache. Without one, or if it failed or hangs, the pages send their own
 * requests, which also handle the errors.
 */
export async function takePrefetchedStart(client: QueryClient): Promise<void> {
  const request = globalThis.startRequest
  globalThis.startRequest = undefined
  if (request === undefined || request.token !== readToken()) return
  try {
    const answered = await Promise.race([request.answer, waitOrWakeUp(SLOW_ANSWER)])
    // The person may have signed out in another tab.
    if (answered?.status === 200 && request.token === readToken()) fillCache(client, request, answered.text)
  } catch {
    // The server cannot be reached, or its answer is of another version.
  }
}

function fillCache(
  client: QueryClient,
  { token, proportions, today }: { token: string; proportions: boolean; today: string },
  text: string,
) {
  const { user, live_position, stats, timeline, grid, top } = parseAnswer(start, 200, text)
  recordLivePosition(token, live_position)
  const listTimeline = createListTimeline(list, timeline)
  const files = readGrid(grid)
  client.setQueryData(query(whoAmI, {}).queryKey, user)
  client.setQueryData(statsQuery.queryKey, stats)
  if (top !== null) client.setQueryData(topQuery(today).queryKey, top)
  client.setQueryData(timelineQuery(list, proportions).queryKey, listTimeline)
  for (const page of pagesOf(listTimeline)) {
    if (page.start + page.count > files.length) break
    client.setQueryData(pageQuery(list, page).queryKey, files.slice(page.start, page.start + page.count))
  }
}
