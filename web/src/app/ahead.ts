/**
 * Asks for the first screen while the program is still being loaded, and shows its pictures; `kit/ahead.ts` hands the
 * answers over. It is built by itself (vite-ahead.ts) and holds no library: a few kilobytes that are there long before the rest.
 */
import type { MediaFile } from '#contract/media.ts'
import type { FileList } from '../gallery/address.ts'
import { pagesOf } from '../gallery/files/pages.ts'
import type { ListIndex } from '../gallery/files/queries.ts'
import { loadFirstPictures } from '../gallery/firstPictures.ts'
import { daysOf } from '../gallery/layout/days.ts'
import { showAhead } from '../gallery/shownAhead.ts'
import { addressOf } from '../kit/address.ts'
import type { RawAnswer } from '../kit/ahead.ts'
import { isNewVisit } from '../kit/visit.ts'

/** The gallery as it is without anything in its address. */
const list: FileList = { sort: 'date', order: 'desc' }
const look = { view: 'grid', names: false } as const
/** More than any screen holds without being scrolled. */
const MOST_IN_SIGHT = 50

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

  const isGallery = location.pathname === '/' && location.search === ''
  if (isGallery && isNewVisit()) showFirstPictures(token).catch(() => {})
  const who = ask('/auth/me')
  // All that is read waits for that answer: see kit/livePosition.ts.
  if (isGallery) who.then(() => askForGallery(ask)).catch(() => {})
}

/**
 * By a call of their own, which waits for nothing: what is read of it is the pictures alone, which the page replaces by those
 * of its own reading. Their days are known from themselves, up to the last, which ends below the screen.
 */
async function showFirstPictures(token: string): Promise<void> {
  const { response, text } = await fetchText(addressOf('/api/media', {}, { ...list, limit: MOST_IN_SIGHT }), token)
  if (!response.ok) return
  const { files, count }: { files: MediaFile[]; count: number } = JSON.parse(text)
  await showAhead(loadFirstPictures(files, { list, total: count, days: daysOf(files) }, look))
}

async function askForGallery(ask: (address: string) => Promise<RawAnswer>): Promise<void> {
  const days: [string, number][] = JSON.parse((await ask('/api/media/timeline')).text).days
  const total = days.reduce((sum, [, count]) => sum + count, 0)
  const index: ListIndex = { list, total, days: days.map(([day, count]) => ({ day, count })) }
  const [first] = pagesOf(index)
  if (first === undefined) return
  await ask(addressOf('/api/media', {}, { ...list, ...first.ask }))
}

async function fetchText(address: string, token: string): Promise<RawAnswer> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(address, { headers, credentials: 'include' })
  return { response, text: await response.text() }
}
