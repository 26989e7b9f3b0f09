import type { QueryClient } from '@tanstack/react-query'
import { whoAmI } from '#contract/auth.ts'
import type { Answer } from '#contract/endpoint.ts'
import { readGrid } from '#contract/grid.ts'
import { currentDay } from '#contract/read-date.ts'
import { start } from '#contract/start.ts'
import { pagesOf } from '../gallery/files/pages.ts'
import { createListTimeline, pageQuery, statsQuery, timelineQuery } from '../gallery/files/queries.ts'
import { listOf, readAddress } from '../gallery/gallery-address.ts'
import { parseAnswer } from '../kit/api.ts'
import { holdStreamUntil, recordLivePosition } from '../kit/live-position.ts'
import { query } from '../kit/queries.ts'
import { SLOW_ANSWER, waitOrWakeUp } from '../kit/reachability.ts'
import { recordPerson, saveAnswer, savedAnswer } from '../kit/saved-answers.ts'
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

type StartRequest = NonNullable<typeof globalThis.startRequest>

/**
 * Puts the first screen into the query cache: the one that this device saved, so that the page opens at once, and then the
 * prefetched one. Resolves as soon as there is one. Without any, or if the request failed or hangs, the pages send their own
 * requests, which also handle the errors.
 */
export async function takePrefetchedStart(client: QueryClient): Promise<void> {
  const request = globalThis.startRequest
  globalThis.startRequest = undefined
  if (request === undefined || request.token !== readToken()) return
  const fetched = takeFetched(client, request)
  holdStreamUntil(fetched)
  const saved = savedScreen(request)
  const isFetched = await Promise.race([fetched, saved.then(found => (found === undefined ? fetched : false))])
  const screen = isFetched ? undefined : await saved
  if (screen === undefined || request.token !== readToken()) return
  fillCache(client, request, screen)
  void fetched.then(async isFresh => {
    if (!isFresh) await client.invalidateQueries()
  })
}

/** Resolves to whether the answer came and could be used. */
async function takeFetched(client: QueryClient, request: StartRequest): Promise<boolean> {
  try {
    const answered = await Promise.race([request.answer, waitOrWakeUp(SLOW_ANSWER)])
    // The person may have signed out in another tab.
    if (answered?.status !== 200 || request.token !== readToken()) return false
    fillCache(client, request, parseAnswer(start, 200, answered.text))
    saveAnswer(request.token, savedAddress(request), answered.text)
    // Other pages than the gallery ask for this one, and must open without a connection too.
    saveAnswer(request.token, whoAmI.path, JSON.stringify(JSON.parse(answered.text).user))
    return true
  } catch {
    // The server cannot be reached, or its answer is of another version.
    return false
  }
}

async function savedScreen(request: StartRequest): Promise<Answer<typeof start> | undefined> {
  const saved = await savedAnswer(savedAddress(request))
  if (saved === undefined) return
  try {
    const answer = parseAnswer(start, 200, saved.text)
    const isOfToday = currentDay(new Date(saved.savedAt)) === request.today
    // The stream begins where the fetched answer ends.
    return { ...answer, live_position: null, top: isOfToday ? answer.top : null }
  } catch {
    // Saved by another version.
    return
  }
}

/** The same for every day, since it replaces that of the day before. */
function savedAddress({ proportions }: StartRequest): string {
  return `${start.path}?proportions=${proportions}`
}

function fillCache(
  client: QueryClient,
  { token, proportions, today }: StartRequest,
  { user, live_position, stats, timeline, grid, top }: Answer<typeof start>,
) {
  recordPerson(token, user.id)
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
