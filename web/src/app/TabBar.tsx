import { EllipsisIcon, FolderClosed, Images, LogOut, MessageCircle, ShieldCheck } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import type { User } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { useChatButton } from '../chat/ChatWidget.tsx'
import { formatBadge } from '../kit/format.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { useBarHeight } from '../ui/Dock.tsx'
import { useEver } from '../ui/hooks.ts'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/Menu.tsx'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'
import { AccountMenuItems } from './AccountMenu.tsx'
import { places, placesBelowFolders, placesInMenu, tabPlaces } from './features.ts'
import { PlacesInMenu } from './Places.tsx'
import { texts } from './texts.ts'
import { useCurrentPlace } from './use-current-place.ts'

const FolderDrawer = prefetchedDialog(async () => (await import('../folders/FolderDrawer.tsx')).FolderDrawer)

interface Props {
  user: User
  signOut: () => void
}

/** The navigation of a phone: along the bottom, or on the left while the phone is turned. */
export function TabBar({ user, signOut }: Props) {
  const bar = useRef<HTMLElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const [foldersOpen, setFoldersOpen] = useState(false)
  const everOpened = useEver(foldersOpen)
  const { pathname } = useLocation()
  const { name: current, folder, selectFolder } = useCurrentPlace()
  const hasTab = tabPlaces.some(name => name === current)
  useBarHeight(bar, '--tab-bar', true)
  return (
    <nav
      ref={bar}
      aria-label={texts.mainNavigation}
      className="fixed inset-x-0 bottom-0 z-22 grid auto-cols-fr grid-flow-col border-line border-t bg-raised pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] rail:top-0 rail:right-auto rail:w-[calc(4.5rem+env(safe-area-inset-left))] rail:auto-rows-fr rail:grid-flow-row rail:border-t-0 rail:border-r rail:pr-0"
    >
      {tabPlaces.map(name => {
        const { name: label, icon: Icon, to } = places[name]
        return (
          <Link key={name} to={to} aria-current={name === current ? 'page' : undefined} className={tabClass}>
            <TabContent icon={<Icon aria-hidden="true" className="size-6" />}>{label}</TabContent>
          </Link>
        )
      })}
      <Menu
        trigger={
          // Every other page is opened from this menu.
          <Tab
            ref={more}
            icon={<EllipsisIcon aria-hidden="true" className="size-6" />}
            data-current={!hasTab || undefined}
          >
            {texts.tabs.more}
          </Tab>
        }
      >
        <div className="flex items-center gap-3 px-3 py-2">
          <Avatar name={user.name} src={user.avatar_url} />
          <span className="min-w-0 font-semibold" dir="auto">
            {user.name}
          </span>
        </div>
        <MenuSeparator />
        <MenuLink
          link={<NavLink to="/" aria-current={pathname === '/' && current === 'photos' ? 'page' : 'false'} />}
          icon={<Images aria-hidden="true" className="size-5" />}
        >
          {texts.gallery}
        </MenuLink>
        <PlacesInMenu places={placesInMenu} />
        <MenuItem onClick={() => setFoldersOpen(true)} icon={<FolderClosed aria-hidden="true" className="size-5" />}>
          {texts.folders}
        </MenuItem>
        <PlacesInMenu places={placesBelowFolders} />
        <MenuSeparator />
        {can(user.role, 'people.review') && (
          <MenuLink link={<NavLink to="/admin" />} icon={<ShieldCheck aria-hidden="true" className="size-5" />}>
            {texts.admin}
          </MenuLink>
        )}
        <AccountMenuItems />
        <MenuItem onClick={signOut} icon={<LogOut aria-hidden="true" className="size-5" />}>
          {texts.logOut}
        </MenuItem>
      </Menu>
      {everOpened && (
        <FolderDrawer
          open={foldersOpen}
          onOpenChange={setFoldersOpen}
          returnFocusTo={more}
          selected={folder}
          onSelect={selectFolder}
        />
      )}
      <ChatTab />
    </nav>
  )
}

function ChatTab() {
  const { label, unread, ...button } = useChatButton()
  return (
    <Tab
      {...button}
      aria-label={label}
      icon={
        <span className="relative">
          <MessageCircle aria-hidden="true" className="size-6" />
          {unread > 0 && <Badge on="icon">{formatBadge(unread)}</Badge>}
        </span>
      }
    >
      {texts.tabs.chat}
    </Tab>
  )
}

const tabClass =
  'tab-item @container flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 px-0.5 text-fine leading-tight rail:min-h-0'

interface TabProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  icon: ReactNode
  children: string
}

function Tab({ icon, children, ...rest }: TabProps) {
  return (
    <button type="button" {...rest} className={tabClass}>
      <TabContent icon={icon}>{children}</TabContent>
    </button>
  )
}

/** The German "Erinnerungen" fits a phone only when it is smaller. */
const LONG_LABEL = 10

function TabContent({ icon, children }: { icon: ReactNode; children: string }) {
  const size = children.length > LONG_LABEL ? 'text-[0.75rem] tracking-tight' : ''
  return (
    <>
      {icon}
      {/* Large text does not fit: icons alone. */}
      <span className={`@max-[2.75rem]:sr-only max-w-full truncate font-semibold ${size}`}>{children}</span>
    </>
  )
}
