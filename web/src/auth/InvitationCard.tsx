import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import { MailOpen } from 'lucide-react'
import { type AcceptedInvitation, acceptInvitation } from '#contract/invitations.ts'
import { ApiError, callWithToken } from '../kit/api.ts'
import { useAppSettings } from '../kit/settings.ts'
import { Notice } from '../ui/Notice.tsx'
import { openedInvitation } from './invitation.ts'
import { texts } from './texts.ts'

/** Tells the server which invitation this browser has opened; the sign-in has to wait for that. */
export function useInvitation(): UseQueryResult<AcceptedInvitation> {
  const token = openedInvitation()
  return useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => callWithToken(token ?? '', acceptInvitation, signal),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export function InvitationCard({ data, error }: UseQueryResult<AcceptedInvitation>) {
  const { title } = useAppSettings()
  if (error !== null) {
    const ended = error instanceof ApiError && error.status === 404
    return (
      <Notice>
        <p>{ended ? texts.invitation.ended : error.message}</p>
      </Notice>
    )
  }
  if (data === undefined) return null
  return (
    <section aria-label={texts.invitation.label} className="flex gap-3 rounded-card bg-accent-wash p-4">
      <MailOpen aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent-strong" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-semibold">{texts.invitation.from({ inviter: data.inviter, title })}</p>
        <p className="text-small">{data.auto_approve ? texts.invitation.atOnce : texts.invitation.afterReview}</p>
        {data.email !== null && <p className="text-small">{texts.invitation.account({ email: data.email })}</p>}
      </div>
    </section>
  )
}
