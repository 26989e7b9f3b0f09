import { isPicture, showPicture } from './pictures.ts'
import { answerPage, answerProgram, deleteOldPrograms, storeProgram } from './program.ts'

/**
 * Opens the pages from this device, also without a connection, and shows pictures that were seen before. What the API
 * answers is kept by the pages (`kit/saved-answers.ts`).
 */
declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', event => event.waitUntil(storeProgram()))

self.addEventListener('activate', event => {
  event.waitUntil(Promise.all([deleteOldPrograms(), self.clients.claim()]))
})

self.addEventListener('message', event => {
  // The person chose to update: the pages load again with the new version.
  if (event.data?.type === 'update') void self.skipWaiting()
})

self.addEventListener('fetch', event => {
  const { request } = event
  if (request.method !== 'GET') return
  const url = new URL(request.url)
  if (request.mode === 'navigate') answerPage(event, url)
  else if (isPicture(request, url)) event.respondWith(showPicture(event, url))
  else if (url.origin === self.location.origin) answerProgram(event, url)
})
