import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accessRequestStatus, signInAgainPath } from '#contract/auth.ts'
import { accessRequest } from '#contract/limits.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { query } from '../kit/queries.ts'
import { useAppSettings } from '../kit/settings.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { texts } from './texts.ts'

/**
 * Says when the request arrived, and signs in as soon as an admin has approved it. Nothing is shown in a browser that
 * has not asked for access.
 */
export function WaitingForApproval() {
  const settings = useAppSettings()
  const { data } = useQuery({
    ...query(accessRequestStatus, {}),
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'pending') && accessRequest.poll,
    // The person reads their mail in another tab and finds the library open when they come back.
    refetchIntervalInBackground: true,
  })
  const approved = data?.status === 'approved'
  useEffect(() => {
    if (approved) window.location.assign(signInAgainPath)
  }, [approved])

  if (data === undefined) return null
  if (data.status === 'denied') return <p role="status">{texts.waiting.denied}</p>
  return (
    <section aria-label={texts.waiting.label} className="flex flex-col gap-2 rounded-card bg-sunken p-4 text-small">
      <div role="status" className="flex items-start gap-3">
        <Spinner size="small" />
        <p className="font-semibold">{approved ? texts.waiting.approved : texts.waiting.pending}</p>
      </div>
      {!approved && (
        <p className="text-ink-soft">
          {texts.waiting.arrived({ moment: formatDateAndTime(data.requested_at) })}{' '}
          {texts.waiting.adminInformed(settings)}
        </p>
      )}
    </section>
  )
}
