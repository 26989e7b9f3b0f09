declare const self: ServiceWorkerGlobalScope

/** The files of this build that pages need, without the large decoders of uploads. Filled in by `vite-service-worker.ts`. */
declare const BUILT_FILES: readonly string[]
declare const BUILD_ID: string

const prefix = 'program-'
const cacheName = `${prefix}${BUILD_ID}`
const page = '/'

/** Stored whole before this version is used: a page must never find half of its program. */
export async function storeProgram(): Promise<void> {
  const cache = await caches.open(cacheName)
  // The server's copy of the page may be of another version than the browser's HTTP cache has.
  await cache.add(new Request(page, { cache: 'no-store', credentials: 'omit' }))
  await cache.addAll(BUILT_FILES)
}

/** In the cache of a program that pages were opened with; others were stored and replaced before anybody loaded them. */
const usedMark = '/used'

/** All but the one before this: pages that were opened with it go on until they are loaded again. */
export async function deleteOldPrograms(): Promise<void> {
  await (await caches.open(cacheName)).put(usedMark, new Response())
  const others = (await caches.keys()).filter(name => name.startsWith(prefix) && name !== cacheName)
  const used = await Promise.all(others.map(async name => (await caches.match(usedMark, { cacheName: name })) && name))
  const before = used.findLast(name => name !== undefined)
  await Promise.all(others.filter(name => name !== before).map(name => caches.delete(name)))
}

/** What the server answers itself, and the pages of guests (`/s`), of which nothing is kept. */
export const ofServer = /^\/(api|auth|files|shared|s|mail|demo|assets|healthz|metrics)(\/|$)/

/** Every page is the same document, which this version has stored with its program. */
export function answerPage(event: FetchEvent, url: URL): void {
  if (url.origin !== self.location.origin || ofServer.test(url.pathname)) return
  event.respondWith(stored(page, event.request))
}

export function answerProgram(event: FetchEvent, url: URL): void {
  if (BUILT_FILES.includes(url.pathname)) event.respondWith(stored(url.pathname, event.request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(storedBefore(url.pathname, event.request))
}

async function stored(path: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName)
  return (await cache.match(path)) ?? fetch(request)
}

/** Of the version before, or one of the large files that are not stored. */
async function storedBefore(path: string, request: Request): Promise<Response> {
  return (await caches.match(path)) ?? fetch(request)
}
