/** Notifications on this device, as the browser knows them. */

/** Undefined where the browser has none, as without https, or where pages have no service worker. */
export async function pushRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis) || !('Notification' in globalThis)) return
  return navigator.serviceWorker.getRegistration()
}

/** The device gets nothing more, whatever the server knows: its address is dead. */
export async function endPushHere(): Promise<void> {
  const registration = await pushRegistration()
  if (registration === undefined) return
  const [subscription, shown] = await Promise.all([
    registration.pushManager.getSubscription(),
    registration.getNotifications(),
  ])
  for (const notification of shown) notification.close()
  await subscription?.unsubscribe()
  showBadge(0)
}

/** The number on the icon of the installed app, where there is one. */
export function showBadge(unread: number): void {
  // Not awaited: browsers refuse it for pages that are not installed, or never answer.
  navigator.setAppBadge?.(unread)?.catch(() => undefined)
}
