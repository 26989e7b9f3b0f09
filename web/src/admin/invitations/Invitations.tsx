import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId } from 'react'
import { endInvitation, type Invitation, listInvitations } from '#contract/invitations.ts'
import { useAction } from '../../kit/action.ts'
import { formatDate } from '../../kit/format.ts'
import { query } from '../../kit/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { onSingleClick, useKeepFocus } from '../../ui/hooks.ts'
import { LoadingOrError } from '../../ui/LoadingOrError.tsx'
import { ShowInvitation } from './InvitationLink.tsx'
import { InviteButton } from './InviteButton.tsx'
import { texts } from './texts.ts'

/** The invitations, open ones first. */
export function Invitations() {
  const invitations = useQuery(query(listInvitations, {}, texts.failedToLoad))
  const keepFocus = useKeepFocus<HTMLDivElement>()
  const { data } = invitations
  return (
    <div {...keepFocus} className="rounded-card">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-line border-b p-4 sm:px-6">
        <p className="flex-1 basis-64 text-ink-soft text-small">{texts.intro}</p>
        <InviteButton />
      </div>
      {data === undefined ? (
        <LoadingOrError query={invitations} texts={texts} />
      ) : data.length === 0 ? (
        <div className="p-6">
          <EmptyState {...texts.empty} />
        </div>
      ) : (
        <ul className="divide-y divide-line">
          {data.map(invitation => (
            <Row key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Row({ invitation }: { invitation: Invitation }) {
  const nameId = useId()
  const end = useAction(endInvitation, {
    success: texts.end.success,
    failure: texts.end.failure,
    changes: [{ kind: 'people' }],
  })
  const { email, role, auto_approve, uses, status, created_by, created_at, expires_at } = invitation
  const isOpen = status === 'open'
  const state = isOpen ? texts.until({ day: formatDate(expires_at) }) : texts.status[status]
  const facts = [texts.roles[role], ...(auto_approve ? [] : [texts.asksFirst]), state]
  if (email === null) facts.push(texts.uses({ count: uses }))
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-6">
      <div className={`min-w-0 flex-1 basis-48 ${isOpen ? '' : 'text-ink-soft'}`}>
        <p id={nameId} className="wrap-anywhere font-semibold">
          {email ?? texts.forAnybody}
        </p>
        <p className="text-small">{facts.join(' · ')}</p>
        <p className="text-fine text-ink-soft">
          {texts.details({ inviter: created_by, made: formatDate(created_at) })}
        </p>
      </div>
      {isOpen && <ShowInvitation invitation={invitation} nameId={nameId} />}
      {isOpen && (
        <Button
          variant="dangerQuiet"
          icon={<X aria-hidden="true" className="size-5" />}
          busy={end.busy}
          aria-describedby={nameId}
          onClick={onSingleClick(() => void end.run({ params: { id: invitation.id } }))}
        >
          {texts.end.label}
        </Button>
      )}
    </li>
  )
}
