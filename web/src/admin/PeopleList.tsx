import { Check, Undo2, UserRoundX, X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { AccessRequest } from '#contract/people.ts'
import { formatDate, formatDateAndTime } from '../kit/format.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { onSingleClick, useKeepFocus } from '../ui/hooks.ts'
import { PersonLink } from '../ui/PersonLink.tsx'
import { useDecision } from './queries.ts'
import { RoleMenu } from './RoleMenu.tsx'
import { texts } from './texts.ts'

/** The people of a tab. When a focused row disappears, the list keeps the focus. */
export function PeopleList({ list, people }: { list: List; people: readonly AccessRequest[] }) {
  const keepFocus = useKeepFocus<HTMLDivElement>()
  const admins = list === 'approved' ? people.filter(({ role }) => role === 'admin') : []
  const lastAdmin = admins.length === 1 ? admins[0] : undefined
  return (
    <div {...keepFocus} className="rounded-card">
      {people.length === 0 ? (
        <div className="p-6">
          <EmptyState {...texts[list].empty} />
        </div>
      ) : (
        <ul className="divide-y divide-line">
          {people.map(person => (
            <PersonRow key={person.id} list={list} person={person} isLastAdmin={person === lastAdmin} />
          ))}
        </ul>
      )}
    </div>
  )
}

type List = 'pending' | 'approved' | 'denied'

interface RowActions {
  person: AccessRequest
  /** The id of the element with the person's name, which describes every button. */
  nameId: string
}

interface PersonRowProps {
  list: List
  person: AccessRequest
  /** The server refuses to revoke the last admin or to change their role, so it is not offered. */
  isLastAdmin: boolean
}

function PersonRow({ list, person, isLastAdmin }: PersonRowProps) {
  const nameId = useId()
  const Actions = actions[list]
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-6">
      <Avatar name={person.name} src={person.avatar_url} size="large" />
      <div className="min-w-0 flex-1 basis-48">
        <p id={nameId} className="wrap-anywhere font-semibold">
          <PersonLink id={list === 'approved' ? person.id : undefined} name={person.name} />
        </p>
        <p className="wrap-anywhere text-small text-ink-soft">{person.email}</p>
        {list === 'pending' && person.invited_by !== null && (
          <p className="text-small">{texts.roles[person.role].invited({ inviter: person.invited_by })}</p>
        )}
        <ReviewDate list={list} person={person} />
      </div>
      <div className="flex w-full flex-wrap gap-3 sm:w-auto [&>*]:flex-1">
        {isLastAdmin ? (
          <span className="text-small text-ink-soft">{texts.roles.admin.label}</span>
        ) : (
          <Actions person={person} nameId={nameId} />
        )}
      </div>
    </li>
  )
}

/** People approved by the configuration were never reviewed; their request counts. */
function ReviewDate({ list, person }: { list: List; person: AccessRequest }) {
  const moment = list === 'pending' ? person.requested_at : (person.reviewed_at ?? person.requested_at)
  return (
    <p className="text-fine text-ink-soft">
      {texts[list].date}{' '}
      <time dateTime={moment} title={formatDateAndTime(moment)}>
        {formatDate(moment)}
      </time>
    </p>
  )
}

const actions: Record<List, (row: RowActions) => ReactNode> = {
  pending: PendingActions,
  approved: ApprovedActions,
  denied: DeniedActions,
}

function PendingActions({ person, nameId }: RowActions) {
  const approve = useDecision('approve')
  const deny = useDecision('deny')
  const params = { id: person.id }
  return (
    <>
      <Button
        variant="soft"
        icon={<Check aria-hidden="true" className="size-5" />}
        busy={approve.busy}
        disabled={deny.busy}
        aria-describedby={nameId}
        onClick={onSingleClick(() => approve.run({ params }))}
      >
        {texts.approve.label}
      </Button>
      <Button
        variant="dangerQuiet"
        icon={<X aria-hidden="true" className="size-5" />}
        busy={deny.busy}
        disabled={approve.busy}
        aria-describedby={nameId}
        onClick={onSingleClick(() => deny.run({ params }))}
      >
        {texts.deny.label}
      </Button>
    </>
  )
}

/** Asks for confirmation, because revoking signs a person out on every device. */
function ApprovedActions({ person, nameId }: RowActions) {
  const [asking, setAsking] = useState(false)
  const revoke = useDecision('revoke')

  function confirm() {
    setAsking(false)
    revoke.run({ params: { id: person.id } })
  }
  return (
    <>
      <RoleMenu person={person} nameId={nameId} />
      <Button
        variant="dangerQuiet"
        icon={<UserRoundX aria-hidden="true" className="size-5" />}
        busy={revoke.busy}
        aria-describedby={nameId}
        onClick={onSingleClick(() => setAsking(true))}
      >
        {texts.revoke.label}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={texts.revoke.question({ name: person.name })}
        text={texts.revoke.warning}
        confirmLabel={texts.revoke.confirm}
        cancelLabel={texts.revoke.cancel}
        onConfirm={confirm}
      />
    </>
  )
}

function DeniedActions({ person, nameId }: RowActions) {
  const reapprove = useDecision('reapprove')
  return (
    <Button
      icon={<Undo2 aria-hidden="true" className="size-5" />}
      busy={reapprove.busy}
      aria-describedby={nameId}
      onClick={onSingleClick(() => reapprove.run({ params: { id: person.id } }))}
    >
      {texts.reapprove.label}
    </Button>
  )
}
