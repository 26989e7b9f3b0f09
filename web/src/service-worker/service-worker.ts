import { openNotification, renewAddress, type SubscriptionChange, showPush } from './notifications.ts'
import { isPicture, showPicture } from './pictures.ts'
import { answerPage, answerProgram, deleteOldPrograms, storeProgram } from './program.ts'
import { eraseExpiredShare, isShare, takeShare } from './share-target.ts'

/**
 * Opens the pages from this device, also without a connection, shows pictures that were seen before, takes what other apps
 * share, and shows notifications. What the API answers is kept by the pages (`kit/saved-answers.ts`).
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
  const url = new URL(request.url)
  if (isShare(request, url)) return event.respondWith(takeShare(request))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    answerPage(event, url)
    event.waitUntil(eraseExpiredShare())
  } else if (isPicture(request, url)) event.respondWith(showPicture(event, url))
  else if (url.origin === self.location.origin) answerProgram(event, url)
})

self.addEventListener('push', event => event.waitUntil(showPush(event.data)))
self.addEventListener('notificationclick', event => event.waitUntil(openNotification(event.notification)))
self.addEventListener('pushsubscriptionchange', event => {
  ;(event as ExtendableEvent).waitUntil(renewAddress(event as SubscriptionChange))
})
