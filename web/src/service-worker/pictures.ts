import {
  deletePictures,
  type Keeper,
  keptPictures,
  mayShow,
  readKeeper,
  readPictures,
  recentPictures,
  writePictures,
} from '../kit/device-store.ts'

declare const self: ServiceWorkerGlobalScope

/**
 * Pictures that were shown lately. They are kept under their address without the signature: the path has the file and a
 * version, and does not change when a signature expires.
 */

/** As in `server/src/storage/keys.ts`. Originals and videos are not kept: they are large. */
const picturePath = /\/variants\/.+\/(thumbnail|mobile|website|desktop|poster)-v\d+(-\w+)?\.(jpe?g|png|webp|avif)$/

/** The oldest are removed above this. */
const MAX_BYTES = 400 * 1024 * 1024
const MAX_PICTURE_BYTES = 8 * 1024 * 1024

export function isPicture(request: Request, url: URL): boolean {
  // What is fetched to be kept has a cache of its own.
  if (request.cache === 'no-store') return false
  return !url.searchParams.has('download') && picturePath.test(url.pathname) && request.headers.get('range') === null
}

export async function showPicture(event: FetchEvent, url: URL): Promise<Response> {
  if (!(await isForPerson(event))) return fetch(event.request)
  const address = url.origin + url.pathname
  const cache = await caches.open(recentPictures)
  const known = await cache.match(address)
  if (known !== undefined) {
    recordUse(address, Number(known.headers.get('content-length') ?? 0))
    return known
  }
  const kept = await caches.open(keptPictures)
  const keptOne = await kept.match(address)
  if (keptOne !== undefined) return keptOne
  let response: Response
  try {
    response = await fetchReadable(event.request, url)
  } catch (error) {
    const other = event.request.signal.aborted ? undefined : await otherSize(kept, address)
    if (other === undefined) throw error
    return other
  }
  if (response.status === 200 && response.type !== 'opaque') event.waitUntil(keep(cache, address, response.clone()))
  return response
}

const otherSizes = ['desktop', 'website', 'mobile', 'thumbnail', 'poster']

/** Without a connection, the size that is kept does for a tile, or a window of another size, as well. */
async function otherSize(cache: Cache, address: string): Promise<Response | undefined> {
  const folder = address.slice(0, address.lastIndexOf('/') + 1)
  const keys = (await cache.keys()).map(({ url }) => url).filter(url => url.startsWith(folder))
  const found = otherSizes.flatMap(size => keys.find(url => url.startsWith(`${folder}${size}-`)) ?? [])
  return found[0] === undefined ? undefined : cache.match(found[0])
}

/** With CORS also from a store on another origin, so that its size is known and errors are no pictures. */
async function fetchReadable(request: Request, url: URL): Promise<Response> {
  if (url.origin === self.location.origin || request.mode === 'cors') return fetch(request)
  try {
    return await fetch(url, { mode: 'cors', credentials: 'omit', signal: request.signal })
  } catch (error) {
    if (request.signal.aborted) throw error
    // The store does not allow it for this page.
    return fetch(request)
  }
}

let keeper: { value: Keeper | undefined; readAt: number } | undefined

/** Guests on this device see nothing of what the person who signed in has, and leave nothing. */
async function isForPerson(event: FetchEvent): Promise<boolean> {
  const client = event.clientId === '' ? undefined : await self.clients.get(event.clientId)
  if (client === undefined || /^\/s(\/|$)/.test(new URL(client.url).pathname)) return false
  if (keeper === undefined || Date.now() - keeper.readAt > 1_000) {
    keeper = { value: await readKeeper().catch(() => undefined), readAt: Date.now() }
  }
  return mayShow(keeper.value)
}

async function keep(cache: Cache, address: string, response: Response): Promise<void> {
  const bytes = await response.blob()
  if (bytes.size === 0 || bytes.size > MAX_PICTURE_BYTES) return
  const type = response.headers.get('content-type') ?? bytes.type
  const headers = { 'content-type': type, 'content-length': String(bytes.size), 'x-content-type-options': 'nosniff' }
  try {
    await cache.put(address, new Response(bytes, { headers }))
    recordUse(address, bytes.size)
  } catch {
    // The device is full: the oldest make room for the next.
    await removeOldest(0.5)
  }
}

/** Written together, because a screen shows dozens. */
const used = new Map<string, number>()
const WRITE_DELAY = 2_000

function recordUse(address: string, size: number): void {
  if (used.size === 0) setTimeout(() => void writeUses(), WRITE_DELAY)
  used.set(address, size)
}

let writes = 0

async function writeUses(): Promise<void> {
  const usedAt = Date.now()
  const pictures = [...used].map(([address, size]) => ({ address, size, usedAt }))
  used.clear()
  try {
    // A sign-out has erased the device in between: no names of pictures are left either.
    if (!mayShow(await readKeeper())) return
    await writePictures(pictures)
    if (writes++ % 10 === 0) await removeOldest(1)
  } catch {
    // They stay in the cache, and count from their next use on.
  }
}

/** Down to this share of the limit. */
async function removeOldest(share: number): Promise<void> {
  const pictures = await readPictures()
  let left = pictures.reduce((sum, { size }) => sum + size, 0)
  const removed: string[] = []
  for (const { address, size } of pictures) {
    if (left <= MAX_BYTES * share) break
    left -= size
    removed.push(address)
  }
  const cache = await caches.open(recentPictures)
  await Promise.all(removed.map(address => cache.delete(address)))
  await deletePictures(removed)
}
