import type { NotificationTarget } from '#contract/notifications.ts'
import { useNow } from '../kit/clock.ts'
import { Button } from '../ui/Button.tsx'
import { useKeepFocus } from '../ui/hooks.ts'
import { ScrollSentinel } from '../ui/ScrollSentinel.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { NotificationRow } from './NotificationRow.tsx'
import { useNotifications } from './queries.ts'
import { texts } from './texts.ts'

export function NotificationList({ onOpen }: { onOpen: (target: NotificationTarget) => void }) {
  const { notifications, error, retry, loadMore, loadingMore } = useNotifications()
  const now = useNow()
  const kept = useKeepFocus<HTMLUListElement>()

  if (notifications === undefined) return error === null ? <Loading /> : <Failed retry={retry} />
  if (notifications.length === 0) return <p className="px-4 py-12 text-center text-ink-soft">{texts.empty}</p>
  return (
    <>
      <ul {...kept} aria-label={texts.title} className="divide-y divide-line focus-visible:outline-none">
        {notifications.map(notification => (
          <NotificationRow key={notification.id} notification={notification} now={now} onOpen={onOpen} />
        ))}
      </ul>
      {loadMore !== undefined && <ScrollSentinel key={notifications.length} margin={300} onVisible={loadMore} />}
      {loadingMore && <Loading />}
    </>
  )
}

function Loading() {
  return (
    <div className="grid place-items-center p-8">
      <Spinner label={texts.loading} />
    </div>
  )
}

function Failed({ retry }: { retry: () => void }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-10 text-center">
      <p className="text-ink-soft">{texts.loadFailed}</p>
      <Button onClick={retry}>{texts.retry}</Button>
    </div>
  )
}
