import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accessRequestStatus, signInAgainPath } from '#contract/auth.ts'
import type { Answer } from '#contract/endpoint.ts'
import { accessRequest } from '#contract/limits.ts'
import { useContacts } from '../kit/contacts.ts'
import { formatDateAndTime } from '../kit/format.ts'
import { query } from '../kit/queries.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { texts } from './texts.ts'

type AccessRequest = Answer<typeof accessRequestStatus>
type Query = UseQueryResult<AccessRequest>

/** The request of this browser; no data in one that has not asked for access. Signs in as soon as an admin has approved it. */
export function useAccessRequest(enabled: boolean): Query {
  const request = useQuery({
    ...query(accessRequestStatus, {}),
    enabled,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'pending') && accessRequest.poll,
    // The person reads their mail in another tab and finds the library open when they come back.
    refetchIntervalInBackground: true,
  })
  const approved = request.data?.status === 'approved'
  useEffect(() => {
    if (approved) window.location.assign(signInAgainPath)
  }, [approved])
  return request
}

/** A welcome that says what happens next. */
export function WaitingForApproval({ request }: { request: AccessRequest }) {
  const settings = useContacts()
  if (request.status === 'denied') return <p role="status">{texts.waiting.denied}</p>
  const approved = request.status === 'approved'
  return (
    <section aria-label={texts.waiting.label} className="flex flex-col gap-3 rounded-card bg-sunken p-4">
      <h2 className="font-semibold text-lead">{texts.waiting.welcome}</h2>
      {!approved && (
        <p>
          {texts.waiting.arrived({ moment: formatDateAndTime(request.requested_at) })}{' '}
          {texts.waiting.adminInformed(settings)}
        </p>
      )}
      <div role="status" className="flex items-start gap-3">
        <Spinner size="small" />
        <p className="font-semibold">{approved ? texts.waiting.approved : texts.waiting.pending}</p>
      </div>
      {!approved && <p className="text-ink-soft text-small">{texts.waiting.later}</p>}
    </section>
  )
}
