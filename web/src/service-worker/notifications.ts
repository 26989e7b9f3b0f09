import type { PushPayload, renewPush } from '#contract/push.ts'
import { mayShow, readKeeper, readPushRenewal, writeOpened } from '../kit/device-store.ts'
import { ofServer } from './program.ts'

declare const self: ServiceWorkerGlobalScope

/** Of `PushSubscriptionChangeEvent`, which TypeScript does not know yet. */
export interface SubscriptionChange extends ExtendableEvent {
  readonly newSubscription?: PushSubscription | null
}

/** What a click gives the page, or keeps for a new one. */
type Opened = Pick<PushPayload, 'target' | 'notification'>

/** Only its own server can encrypt for this browser, so the payload is of the contract's form, perhaps of a later version. */
export async function showPush(data: PushMessageData | null): Promise<void> {
  if (data === null) return
  const payload: PushPayload = data.json()
  const keeper = await readKeeper().catch(() => undefined)
  const isTheirs = keeper !== undefined && keeper.person === payload.person && mayShow(keeper)
  // Somebody else uses this device by now, or nobody is signed in. Browsers require a notification all the same.
  const { title, body } = isTheirs ? payload : { title: payload.general, body: '' }
  if (isTheirs) showBadge(payload.unread)
  if (isTheirs && isChromium() && (await isLookedAt())) return
  const options: NotificationOptions & { renotify: boolean; timestamp: number } = {
    body,
    tag: payload.tag,
    // A message that replaces another one makes itself heard too.
    renotify: true,
    lang: payload.language,
    icon: '/icons/icon-192.png',
    timestamp: payload.at,
    data: {
      target: isTheirs ? payload.target : null,
      notification: isTheirs ? payload.notification : null,
    } satisfies Opened,
  }
  await self.registration.showNotification(title, options)
}

/** Chromium requires no notification while the person looks at a page, which shows it in its own way. */
async function isLookedAt(): Promise<boolean> {
  return (await pages()).some(({ focused, visibilityState }) => focused && visibilityState === 'visible')
}

function isChromium(): boolean {
  return /\bChrom(e|ium)\//.test(self.navigator.userAgent)
}

/** Not awaited: where there is no app, it may take for ever. */
function showBadge(unread: number): void {
  const { navigator } = self as { navigator: { setAppBadge?: (count: number) => Promise<void> } }
  navigator.setAppBadge?.(unread).catch(() => undefined)
}

/** Pages of the library, not those that the server renders itself or of guests with a link. */
async function pages(): Promise<readonly WindowClient[]> {
  const all = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  return all.filter(({ url }) => {
    const { pathname } = new URL(url)
    return !ofServer.test(pathname) && !/^\/login(\/|$)/.test(pathname)
  })
}

/** In the window that is open, the one last used first; else in a new one. */
export async function openNotification(notification: Notification): Promise<void> {
  notification.close()
  const opened = notification.data as Opened
  const [page] = await pages()
  if (page !== undefined) {
    page.postMessage({ type: 'open', ...opened })
    // Some browsers do not allow it.
    if (await page.focus().catch(() => undefined)) return
  }
  // Without storage, the gallery is opened.
  await writeOpened(opened).catch(() => undefined)
  await self.clients.openWindow('/?open=')
}

/** The browser has given this device a new address, or ended the old one. */
export async function renewAddress({ newSubscription }: SubscriptionChange): Promise<void> {
  const renewal = await readPushRenewal()
  if (renewal === undefined) return
  const options = { userVisibleOnly: true, applicationServerKey: renewal.publicKey }
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options))
  const { endpoint, keys } = subscription.toJSON()
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) return
  const path: (typeof renewPush)['path'] = '/api/push/renew'
  const body = JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, renewal: renewal.token })
  // Where this fails, the next page that is opened names the address.
  await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}
