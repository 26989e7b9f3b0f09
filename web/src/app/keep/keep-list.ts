import { getAlbum, listAlbumComments, listAlbums } from '#contract/albums.ts'
import type { Answer, CallInput, Endpoint } from '#contract/endpoint.ts'
import { listFolders, listSubfolders } from '#contract/folders.ts'
import { mediaGrid } from '#contract/grid.ts'
import { getMedia, MediaFile } from '#contract/media.ts'
import { listMedia, mediaPosition, timeline } from '#contract/media-list.ts'
import { requestUrl } from '#contract/request-url.ts'
import { ALBUMS_PAGE } from '../../albums/queries.ts'
import { pagesOf } from '../../gallery/files/pages.ts'
import { createListTimeline } from '../../gallery/files/queries.ts'
import { type ListQuery, listOf, onlyFolder, readAddress } from '../../gallery/gallery-address.ts'
import { NEIGHBOURS } from '../../gallery/OpenedFile.tsx'
import { ApiError, callForText } from '../../kit/api.ts'
import { type KeptItem, type KeptList, keptPictures, recentPictures } from '../../kit/device-store.ts'
import { deleteKeptItems, readKeptItems, removeKept, writeKept, writeKeptItems } from '../../kit/kept-store.ts'
import { isUnreachable } from '../../kit/reachability.ts'
import { texts as kitTexts } from '../../kit/texts.ts'
import { prefetchUrlOf } from '../../viewer/stage/prefetch-images.ts'

/** So many pictures are fetched at the same time. */
const AT_ONCE = 4

/** The list is not kept any more, or the session is over. */
export class Stopped extends Error {}

/**
 * Brings one album or folder on this device up to date: the answers of the server that its page and the viewer need, and the
 * pictures of its files. What is there already is not fetched again. What cannot be had is counted, and tried the next time.
 */
export async function updateKept(list: KeptList, isAllowed: () => boolean): Promise<void> {
  const before = new Map((await readKeptItems(list.key)).map(item => [item.address, item]))
  const needed = new Set<string>()
  const progress = { ...list, done: 0, missing: 0, bytes: 0 }

  async function report(change: Partial<KeptList>): Promise<void> {
    Object.assign(progress, change)
    if (!isAllowed() || !(await writeKept(progress))) throw new Stopped()
  }
  async function keepAnswers(answers: readonly { address: string; text: string }[]): Promise<void> {
    for (const { address } of answers) needed.add(address)
    if (!isAllowed()) throw new Stopped()
    const savedAt = Date.now()
    await writeKeptItems(
      list.key,
      answers.map(({ address, text }) => ({ address, size: text.length, savedAt, text })),
    )
  }
  async function ask<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer<E>> {
    const { answer, address, text } = await callForText(endpoint, input)
    if (text === undefined) throw new ApiError(0, 'unreachable', kitTexts.unreachable)
    await keepAnswers([{ address, text }])
    return answer
  }

  const query = await askForList(list, ask, name => report({ name }))
  const files = await askForFiles(query, ask)
  // As the server would answer, without a request for each file.
  await keepAnswers(
    files.map(({ id }, index) => ({
      address: requestUrl(mediaPosition.path, { id }, query),
      text: JSON.stringify({ index }),
    })),
  )
  await report({ files: files.length, state: 'loading' })

  async function keepFile(file: MediaFile): Promise<void> {
    const params = { id: file.id }
    const details = requestUrl(getMedia.path, params, {})
    const isKnown = describes(before.get(details)?.text, file)
    // The addresses in the list may have expired by now.
    const current = isKnown && hasAll(file) ? file : await ask(getMedia, { params }).catch(nullIfGone)
    // It was deleted since the list was read.
    if (current === null) return
    needed.add(details)
    for (const url of picturesOf(current)) {
      const item = await keepPicture(list.key, url, before, isAllowed)
      needed.add(item.address)
      progress.bytes += item.size
    }
    progress.done++
  }
  const hasAll = (file: MediaFile) => picturesOf(file).every(url => before.has(addressOf(url)))
  async function countIfMissing(file: MediaFile, error: unknown): Promise<void> {
    if (!(await concernsOneFile(error))) throw error
    progress.missing++
    // What is there of it stays.
    needed.add(requestUrl(getMedia.path, { id: file.id }, {}))
    for (const url of picturesOf(file)) needed.add(addressOf(url))
  }
  for (let start = 0; start < files.length; start += AT_ONCE) {
    await Promise.all(
      files.slice(start, start + AT_ONCE).map(file => keepFile(file).catch(error => countIfMissing(file, error))),
    )
    await report({})
  }
  await deleteKeptItems([...before.values()].filter(({ address }) => !needed.has(address)))
  await report({ state: 'kept' })
}

function nullIfGone(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

/** As opposed to one that the next file would have as well. */
async function concernsOneFile(error: unknown): Promise<boolean> {
  // Failed without an answer, or with one that this page may not read, as from a store without CORS.
  if (error instanceof TypeError) return !(await isUnreachable())
  return error instanceof ApiError && error.status >= 400 && ![401, 408, 429, 502, 503, 504].includes(error.status)
}

/** Whether these kept details are of the file as it is now. Addresses do not count: their signatures expire. */
function describes(details: string | undefined, file: MediaFile): boolean {
  const kept = details === undefined ? undefined : MediaFile.safeParse(JSON.parse(details)).data
  return kept !== undefined && withoutAddresses(kept) === withoutAddresses(file)
}

function withoutAddresses(file: MediaFile): string {
  const isAddress = (key: string) => key.endsWith('url') || key === 'variant_urls'
  return JSON.stringify(MediaFile.parse(file), (key, value) => (isAddress(key) ? undefined : value))
}

type Ask = <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<Answer<E>>

async function askForList(list: KeptList, ask: Ask, onName: (name: string) => Promise<void>): Promise<ListQuery> {
  const address = readAddress(new URLSearchParams())
  const params = { id: list.id }
  if (list.kind === 'folder') {
    const folder = (await ask(listFolders, {})).find(({ id }) => id === list.id)
    if (folder === undefined) return gone(list)
    await onName(folder.name)
    await ask(listSubfolders, { params })
    return listOf({ ...address, ...onlyFolder(list.id) })
  }
  try {
    const { id, title, order } = await ask(getAlbum, { params })
    await onName(title)
    // It leads there, with the current count.
    await ask(listAlbums, { query: { limit: ALBUMS_PAGE, before: undefined } })
    await ask(listAlbumComments, { params, query: { before: undefined } })
    return listOf({ ...address, album: { id, order } })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return gone(list)
    throw error
  }
}

/** It has been deleted. */
async function gone({ key }: KeptList): Promise<never> {
  await removeKept(key)
  throw new Stopped()
}

async function askForFiles(list: ListQuery, ask: Ask): Promise<MediaFile[]> {
  const [squares] = [
    await ask(timeline, { query: { ...list, proportions: 'false' } }),
    await ask(timeline, { query: { ...list, proportions: 'true' } }),
  ]
  for (const page of pagesOf(createListTimeline(list, squares))) {
    await ask(mediaGrid, { query: { ...list, ...page.query } })
  }
  const files: MediaFile[] = []
  for (let offset = 0; offset < squares.total; offset += NEIGHBOURS) {
    files.push(...(await ask(listMedia, { query: { ...list, offset, limit: NEIGHBOURS } })).files)
  }
  return files
}

/** The small one of its tile, and the one that the viewer shows in a window as large as the screen. */
function picturesOf(file: MediaFile): string[] {
  const { width, height } = window.screen
  const large = prefetchUrlOf(file, { width, height }, { still: true })
  return [...new Set([file.thumbnail_url, large].filter(url => url != null))]
}

function addressOf(url: string): string {
  const { origin, pathname } = new URL(url, window.location.href)
  return origin + pathname
}

async function keepPicture(
  list: string,
  url: string,
  before: ReadonlyMap<string, KeptItem>,
  isAllowed: () => boolean,
): Promise<KeptItem> {
  const address = addressOf(url)
  const cache = await caches.open(keptPictures)
  const known = before.get(address)
  const cached = await cache.match(address)
  if (known !== undefined && cached !== undefined) return known
  const response = cached ?? (await findOrFetch(address, url))
  const bytes = await response.blob()
  const item = { address, size: bytes.size, savedAt: Date.now() }
  if (!isAllowed()) throw new Stopped()
  // Before the picture, so that what an interruption leaves is known and can be removed.
  await writeKeptItems(list, [item])
  if (cached === undefined) await put(cache, address, bytes, response.headers.get('content-type') ?? bytes.type)
  return { ...item, list }
}

async function findOrFetch(address: string, url: string): Promise<Response> {
  const recent = await (await caches.open(recentPictures)).match(address)
  if (recent !== undefined) return recent
  // By `no-store` the service worker knows that it is not one to be shown.
  const isOurs = new URL(url, window.location.href).origin === window.location.origin
  const credentials = isOurs ? 'same-origin' : 'omit'
  const response = await fetch(url, { mode: 'cors', cache: 'no-store', credentials })
  if (!response.ok) throw new ApiError(response.status, 'unexplained', kitTexts.unexplained)
  return response
}

async function put(cache: Cache, address: string, bytes: Blob, type: string): Promise<void> {
  const headers = { 'content-type': type, 'content-length': String(bytes.size), 'x-content-type-options': 'nosniff' }
  await cache.put(address, new Response(bytes, { headers }))
}
