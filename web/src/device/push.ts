import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { changeMyPush, endPush, type MyPush, myPush, subscribeToPush, usualPushChoices } from '#contract/push.ts'
import { useAction } from '../kit/action.ts'
import { ApiError, call } from '../kit/api.ts'
import { readPushRenewal, writePushRenewal } from '../kit/device-store.ts'
import { logError } from '../kit/log.ts'
import { locale } from '../kit/messages.ts'
import { endPushHere, pushRegistration } from '../kit/push-here.ts'
import { query } from '../kit/queries.ts'
import { isInstalled, isSafariOnIos } from './install.ts'
import { registerServiceWorker } from './service-worker-registration.ts'
import { texts } from './texts.ts'

/** `on` and `off` are of this browser; the server may have removed the device. */
export type PushHere = 'unsupported' | 'install first' | 'denied' | 'off' | 'on'

const here = { queryKey: ['notifications on this device'], queryFn: pushHere, staleTime: 0, gcTime: 0 }

export function usePushHere(): PushHere | undefined {
  return useQuery(here).data
}

async function pushHere(): Promise<PushHere> {
  // Safari has notifications for pages on the home screen only.
  if (isSafariOnIos() && !isInstalled()) return 'install first'
  const registration = await pushRegistration()
  if (registration === undefined) return 'unsupported'
  if (Notification.permission === 'denied') return 'denied'
  if (Notification.permission === 'default') return 'off'
  return (await registration.pushManager.getSubscription()) === null ? 'off' : 'on'
}

const mine = query(myPush, {}, texts.push.loadFailed)

export function useMyPush() {
  return useQuery(mine)
}

/** What the person changes on this device and others. */
export function usePushActions(person: number) {
  const client = useQueryClient()
  const store = (answer: MyPush) => {
    client.setQueryData(mine.queryKey, answer)
    void client.invalidateQueries(here)
  }
  const options = { changes: [], whenDone: store } as const
  const change = useAction(changeMyPush, { ...options, failure: texts.push.saveFailed })
  const end = useAction(endPush, { ...options, failure: texts.push.saveFailed, success: texts.push.removed })

  /** Asks for the permission, which browsers allow in answer to a click only. */
  async function switchOn(): Promise<PushHere> {
    const permission = await Notification.requestPermission()
    if (permission === 'granted') store(await subscribe(person))
    await client.invalidateQueries(here)
    return pushHere()
  }

  async function switchOff(device: number | undefined): Promise<void> {
    await endPushHere()
    if (device !== undefined) await end.run({ params: { id: device } })
    await client.invalidateQueries(here)
  }
  return { change, end, switchOn, switchOff }
}

async function subscribe(person: number): Promise<MyPush> {
  const { public_key } = await call(myPush, {})
  // Until its first version is installed, browsers refuse a subscription.
  const registration = await navigator.serviceWorker.ready
  const before = await registration.pushManager.getSubscription()
  // It may be of another key, of a server that was here before.
  await before?.unsubscribe()
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: public_key })
    .catch((cause: unknown) => {
      // The browser's own words are in English, and for developers.
      throw new Error(texts.push.refused, { cause })
    })
  return register(person, subscription, { choices: usualPushChoices })
}

async function register(
  person: number,
  subscription: PushSubscription,
  options: { choices?: typeof usualPushChoices } = {},
): Promise<MyPush> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON()
  const time_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const answer = await call(subscribeToPush, {
    body: { endpoint, p256dh, auth, language: locale, time_zone, ...options },
  })
  const { renewal, public_key: publicKey } = answer
  if (renewal !== null) await writePushRenewal({ person, token: renewal, publicKey })
  return answer
}

/** After the first screen. */
export function usePushOfServiceWorker(person: number): void {
  const client = useQueryClient()
  useEffect(() => {
    void registerServiceWorker()
      .then(() => refreshPush(person))
      .then(() => client.invalidateQueries(here))
  }, [client, person])
}

/**
 * At the start of a page: after a new sign-in the session is another one, and browsers may have changed the address. Where the
 * device was removed, or belongs to somebody else, it gets nothing more.
 */
async function refreshPush(person: number): Promise<void> {
  try {
    const registration = await pushRegistration()
    const subscription = await registration?.pushManager.getSubscription()
    if (subscription == null) return
    const renewal = await readPushRenewal()
    if (renewal?.person !== person) return await endPushHere()
    await register(person, subscription)
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return endPushHere()
    logError('The notifications on this device could not be refreshed', error)
  }
}

const DECLINED = 'push-declined'

/** Asked once, and never again after a No. */
export function mayOfferPush(): boolean {
  return localStorage.getItem(DECLINED) === null
}

export function declinePush(): void {
  localStorage.setItem(DECLINED, 'yes')
}
