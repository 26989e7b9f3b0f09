/**
 * Asks for the first screen while the program is still being loaded, and shows its pictures; `kit/ahead.ts` hands the
 * answers over. It is built by itself (vite-ahead.ts) and holds no library: a few kilobytes that are there long before the rest.
 */
import type { MediaFile } from '#contract/media.ts'
import { pagesOf } from '../gallery/files/pages.ts'
import type { ListIndex } from '../gallery/files/queries.ts'
import { loadFirstPictures } from '../gallery/firstPictures.ts'
import type { FileList } from '../gallery/gallery-address.ts'
import { daysOf } from '../gallery/layout/days.ts'
import { showAhead } from '../gallery/shownAhead.ts'
import type { RawAnswer } from '../kit/ahead.ts'
import { isFreshNavigation } from '../kit/navigation.ts'
import { requestUrl } from '../kit/request-url.ts'

/** The gallery as it is without anything in its address. */
const list: FileList = { sort: 'date', order: 'desc' }
const look = { view: 'grid', names: false } as const
/** More than nearly any screen holds without being scrolled. */
const MOST_SHOWN = 50

const token = localStorage.getItem('auth_token')
if (token !== null) askAhead(token)

function askAhead(token: string): void {
  const answers = new Map<string, Promise<RawAnswer>>()
  globalThis.askedAhead = { token, at: Date.now(), answers }

  function ask(address: string): Promise<RawAnswer> {
    const answer = fetchText(address, token)
    // Whoever takes an answer hears of its failure; one that nobody takes is no error.
    answer.catch(() => {})
    answers.set(address, answer)
    return answer
  }

  const who = ask('/auth/me')
  if (location.pathname !== '/' || location.search !== '') return
  // All that is read waits for that answer: see kit/live-position.ts.
  who.then(() => askForGallery(ask)).catch(() => {})
  if (isFreshNavigation()) showFirstPictures(token).catch(() => {})
}

/**
 * By a call of their own, which waits for nothing: only the pictures are read from it, and the page replaces them by those
 * of its own reading. Their days are known from themselves.
 */
async function showFirstPictures(token: string): Promise<void> {
  const { response, text } = await fetchText(requestUrl('/api/media', {}, { ...list, limit: MOST_SHOWN }), token)
  if (!response.ok) return
  const { files, count }: { files: MediaFile[]; count: number } = JSON.parse(text)
  if (files.length === 0) return
  const days = daysOf(files)
  // The last day may go on.
  if (files.length < count && days.length > 1) days.pop()
  await showAhead(loadFirstPictures(files, { list, total: count, days }, look))
}

async function askForGallery(ask: (address: string) => Promise<RawAnswer>): Promise<void> {
  const days: [string, number][] = JSON.parse((await ask('/api/media/timeline')).text).days
  const total = days.reduce((sum, [, count]) => sum + count, 0)
  const index: ListIndex = { list, total, days: days.map(([day, count]) => ({ day, count })) }
  const [first] = pagesOf(index)
  if (first === undefined) return
  await ask(requestUrl('/api/media', {}, { ...list, ...first.ask }))
}

async function fetchText(address: string, token: string): Promise<RawAnswer> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(address, { headers, credentials: 'include' })
  return { response, text: await response.text() }
}
