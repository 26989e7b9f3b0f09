import { ChevronDown, Eye, ShieldCheck, UserRound } from 'lucide-react'
import { type AccessRequest, giveRole } from '#contract/people.ts'
import type { Role } from '#contract/role.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import { useMe } from '../kit/me.tsx'
import { undoStep } from '../kit/undo.ts'
import { Button } from '../ui/Button.tsx'
import { confirmInDialog } from '../ui/confirm.tsx'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { texts } from './texts.ts'

const icons: Record<Role, typeof Eye> = { viewer: Eye, member: UserRound, admin: ShieldCheck }
const roles = ['admin', 'member', 'viewer'] as const

/** The role of an approved person, and the other roles that they can be given. */
export function RoleMenu({ person, nameId }: { person: AccessRequest; nameId: string }) {
  const isOwn = useMe()?.id === person.id
  const params = { id: person.id }
  const give = useAction(giveRole, {
    success: (_answer, { body }) => texts.roles[body.role].success({ name: person.name }),
    failure: texts.roleFailed,
    changes: [{ kind: 'people' }],
    // Who gave up being an admin cannot take it back.
    undo: (_, { body }) =>
      isOwn ? [] : [undoStep(() => call(giveRole, { params, body: { role: person.role, expected: body.role } }))],
  })

  async function choose(role: Role) {
    if (isOwn && !(await confirmInDialog(texts.ownRole))) return
    void give.run({ params, body: { role } })
  }

  return (
    <Menu
      trigger={
        <Button busy={give.busy} aria-describedby={nameId}>
          {texts.roles[person.role].label}
          <ChevronDown aria-hidden="true" className="size-4 text-ink-soft" />
        </Button>
      }
    >
      {roles
        .filter(role => role !== person.role)
        .map(role => {
          const Icon = icons[role]
          return (
            <MenuItem
              key={role}
              icon={<Icon aria-hidden="true" className="size-5 shrink-0" />}
              onClick={() => void choose(role)}
            >
              <span>
                {texts.roles[role].make} <span className="block text-fine text-ink-soft">{texts.roles[role].may}</span>
              </span>
            </MenuItem>
          )
        })}
    </Menu>
  )
}
