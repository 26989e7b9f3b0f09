import { ChevronDown } from 'lucide-react'
import type { User } from '#contract/people.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Menu } from '../ui/Menu.tsx'
import { ThemeChoice } from './ThemeChoice.tsx'

/** Who is signed in, and how the product looks to them. */
export function AccountMenu({ user }: { user: User }) {
  return (
    <Menu
      trigger={
        <Button variant="bare" icon={<Avatar name={user.name} src={user.avatar_url} />}>
          <span className="max-w-24 truncate lg:max-w-44" dir="auto">
            {user.name}
          </span>
          <ChevronDown aria-hidden="true" className="size-4 text-ink-soft" />
        </Button>
      }
    >
      <ThemeChoice />
    </Menu>
  )
}
