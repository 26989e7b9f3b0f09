import { ChevronDown, Info, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { User } from '#contract/people.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuLink, MenuSeparator } from '../ui/Menu.tsx'
import { ThemeMenuItems } from './ThemeMenuItems.tsx'
import { texts } from './texts.ts'

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
      <ThemeMenuItems />
      <MenuSeparator />
      <MenuLink link={<Link to="/recently-deleted" />} icon={<Trash2 aria-hidden="true" className="size-5" />}>
        {texts.recentlyDeleted}
      </MenuLink>
      <MenuLink link={<Link to="/about" />} icon={<Info aria-hidden="true" className="size-5" />}>
        {texts.about}
      </MenuLink>
    </Menu>
  )
}
