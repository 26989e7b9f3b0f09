import { useEffect, useEffectEvent } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { Id } from '#contract/common.ts'
import { NotificationTarget, readNotification } from '#contract/notifications.ts'
import { call } from '../kit/api.ts'
import { takeOpened } from '../kit/device-store.ts'
import { logError } from '../kit/log.ts'

/** Of a notification of the device that was clicked. */
const Opened = z.object({ target: NotificationTarget.nullable(), notification: Id.nullable() })

/** Opens what a clicked notification is about: the service worker says it, or has kept it for the page that it opens. */
export function useOpenedNotifications(openTarget: (target: NotificationTarget) => void): void {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get('open')

  const show = useEffectEvent((clicked: unknown) => {
    const opened = Opened.safeParse(clicked).data
    if (!opened) return
    const { target, notification } = opened
    if (target !== null) openTarget(target)
    if (notification === null) return
    call(readNotification, { params: { id: notification } }).catch(error => {
      logError('A notification could not be marked as read', error)
    })
  })
  const clearAddress = useEffectEvent(() => {
    setParams(
      before => {
        before.delete('open')
        return before
      },
      { replace: true },
    )
  })

  useEffect(() => {
    if (inAddress === null) return
    clearAddress()
    takeOpened().then(show, error => logError('What was clicked could not be read', error))
  }, [inAddress])

  useEffect(() => {
    const worker: ServiceWorkerContainer | undefined = navigator.serviceWorker
    const onMessage = ({ data }: MessageEvent) => {
      if (data?.type === 'open') show(data)
    }
    worker?.addEventListener('message', onMessage)
    return () => worker?.removeEventListener('message', onMessage)
  }, [])
}
