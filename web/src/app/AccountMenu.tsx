import { ChevronDown, Info, Link2, LogOut, Monitor, Moon, Settings, Sun, Trash2, UserRound } from 'lucide-react'
import { NavLink, useLocation } from 'react-router'
import type { User } from '#contract/people.ts'
import { LastChangesItem } from '../changes/LastChangesItem.tsx'
import { useCan, useMe } from '../kit/me.tsx'
import { type Theme, themes, useTheme } from '../kit/theme.ts'
import { useHasLinksPage } from '../links/queries.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '../ui/Menu.tsx'
import { texts } from './texts.ts'

/** Its pages that are not in the rail. */
const ownPages: readonly string[] = ['/links', '/settings', '/about']

/** `onSignOut` is absent where Log out is beside the menu. */
export function AccountMenu({ user, onSignOut }: { user: User; onSignOut: (() => void) | undefined }) {
  const { pathname } = useLocation()
  const isIn = ownPages.includes(pathname)
  return (
    <Menu
      trigger={
        <Button variant="bare" icon={<Avatar name={user.name} src={user.avatar_url} />}>
          <span aria-current={isIn ? 'page' : undefined} className="page-link max-w-24 truncate lg:max-w-44" dir="auto">
            {user.name}
          </span>
          <ChevronDown aria-hidden="true" className="size-4 text-ink-soft" />
        </Button>
      }
    >
      <AccountMenuItems />
      {onSignOut && (
        <>
          <MenuSeparator />
          <MenuItem onClick={onSignOut} icon={<LogOut aria-hidden="true" className="size-5" />}>
            {texts.logOut}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

/** What the menu of an account offers on every screen. */
export function AccountMenuItems() {
  const me = useMe()
  const mayEdit = useCan('media.edit')
  const hasLinksPage = useHasLinksPage()
  return (
    <>
      <ThemeMenuItems />
      <MenuSeparator />
      {hasLinksPage && (
        <MenuLink link={<NavLink to="/links" />} icon={<Link2 aria-hidden="true" className="size-5" />}>
          {texts.links}
        </MenuLink>
      )}
      {me !== null && (
        <MenuLink link={<NavLink to={`/people/${me.id}`} />} icon={<UserRound aria-hidden="true" className="size-5" />}>
          {texts.ownPage}
        </MenuLink>
      )}
      <MenuLink link={<NavLink to="/settings" />} icon={<Settings aria-hidden="true" className="size-5" />}>
        {texts.settings}
      </MenuLink>
      <LastChangesItem />
      {mayEdit && (
        <MenuLink link={<NavLink to="/recently-deleted" />} icon={<Trash2 aria-hidden="true" className="size-5" />}>
          {texts.recentlyDeleted}
        </MenuLink>
      )}
      <MenuLink link={<NavLink to="/about" />} icon={<Info aria-hidden="true" className="size-5" />}>
        {texts.about}
      </MenuLink>
    </>
  )
}

const icons: Record<Theme, typeof Sun> = { system: Monitor, light: Sun, dark: Moon }

/** The choice between light and dark, as part of a menu. */
function ThemeMenuItems() {
  const [theme, choose] = useTheme()
  const choices = themes.map(value => {
    const Icon = icons[value]
    return { value, label: texts.themes[value], icon: <Icon aria-hidden="true" className="size-5" /> }
  })
  return <MenuChoice label={texts.appearance} value={theme} choices={choices} onChoose={choose} />
}
