import { BookImage, EllipsisIcon, FolderClosed, Images, LogOut, MessageCircle, ShieldCheck, Upload } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Link, NavLink, useLocation, useNavigate } from 'react-router'
import type { User } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { useChatButton } from '../chat/ChatWidget.tsx'
import { FolderDrawer } from '../folders/Folders.tsx'
import {
  favouritesOf,
  folderOf,
  folderPath,
  isUndatedPlace,
  onlyFolder,
  useGalleryAddress,
} from '../gallery/gallery-address.ts'
import { formatBadge } from '../kit/format.ts'
import { useCan } from '../kit/me.tsx'
import { NotificationBell } from '../notifications/NotificationBell.tsx'
import { Avatar } from '../ui/Avatar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { useBarHeight } from '../ui/Dock.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/Menu.tsx'
import { AccountMenuItems } from './AccountMenu.tsx'
import { placesInMenu } from './features.ts'
import { Places } from './Places.tsx'
import { texts } from './texts.ts'
import { openUploadDialog } from './upload-dialog-store.ts'

interface Props {
  user: User
  signOut: () => void
  alerts: ComponentProps<typeof NotificationBell>
}

/** The navigation of a phone: along the bottom, or on the left while the phone is turned. */
export function TabBar({ user, signOut, alerts }: Props) {
  const bar = useRef<HTMLElement>(null)
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [address, change] = useGalleryAddress()
  const folder = folderOf(address)
  const favourites = favouritesOf(address)
  const undated = isUndatedPlace(address)
  const place = placeOf(pathname)
  // Its page leads to the favourites.
  const inAlbums = place === 'albums' || (pathname === '/' && favourites !== null)
  const inFolders = pathname === '/' && !inAlbums && (folder !== null || undated)
  const ownFavourites = favourites === user.id ? 'favourites' : null
  const currentPlace = place ?? (pathname !== '/' ? null : undated ? 'undated' : ownFavourites)
  const mayUpload = useCan('media.upload')
  useBarHeight(bar, '--tab-bar', true)
  return (
    <nav
      ref={bar}
      aria-label={texts.mainNavigation}
      className="fixed inset-x-0 bottom-0 z-22 grid auto-cols-fr grid-flow-col border-line border-t bg-raised pr-[env(safe-area-inset-right)] pb-[env(safe-area-inset-bottom)] pl-[env(safe-area-inset-left)] rail:top-0 rail:right-auto rail:w-[calc(4.5rem+env(safe-area-inset-left))] rail:auto-rows-fr rail:grid-flow-row rail:border-t-0 rail:border-r rail:pr-0"
    >
      <Link to="/" aria-current={pathname === '/' && !inFolders && !inAlbums ? 'page' : undefined} className={tabClass}>
        <TabContent icon={<Images aria-hidden="true" className="size-6" />}>{texts.tabs.photos}</TabContent>
      </Link>
      <Link to="/albums" aria-current={inAlbums ? 'page' : undefined} className={tabClass}>
        <TabContent icon={<BookImage aria-hidden="true" className="size-6" />}>{texts.albums}</TabContent>
      </Link>
      <FolderDrawer
        selected={
          place !== null ? null : pathname !== '/' ? 'all' : favourites === null && !undated ? (folder ?? 'all') : null
        }
        renderPlaces={onChosen => <Places current={currentPlace} onChosen={onChosen} />}
        onSelect={item => {
          const chosen = item === 'all' ? null : item
          if (pathname === '/') change(onlyFolder(chosen))
          else navigate(folderPath(chosen))
        }}
        trigger={
          <Tab icon={<FolderClosed aria-hidden="true" className="size-6" />} data-current={inFolders || undefined}>
            {texts.tabs.folders}
          </Tab>
        }
      />
      {mayUpload && (
        <Tab icon={<Upload aria-hidden="true" className="size-6" />} onClick={() => openUploadDialog(folder)}>
          {texts.tabs.upload}
        </Tab>
      )}
      <NotificationBell
        {...alerts}
        renderTrigger={(label, icon) => (
          <Tab icon={icon}>
            {texts.tabs.alerts}
            <span className="sr-only"> ({label})</span>
          </Tab>
        )}
      />
      <Menu
        trigger={
          // Every page but the gallery and the albums is opened from this menu.
          <Tab
            icon={<EllipsisIcon aria-hidden="true" className="size-6" />}
            data-current={(pathname !== '/' && place !== 'albums') || undefined}
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
        {placesInMenu.map(({ name, icon: Icon, to }) => (
          <MenuLink key={to} link={<NavLink to={to} />} icon={<Icon aria-hidden="true" className="size-5" />}>
            {name}
          </MenuLink>
        ))}
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

/** The page beside the folders that is open. */
function placeOf(pathname: string): 'albums' | 'map' | 'places' | null {
  if (pathname.startsWith('/albums')) return 'albums'
  if (pathname === '/map') return 'map'
  return pathname === '/places' ? 'places' : null
}

const tabClass =
  'tab-item @container flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 px-0.5 text-fine leading-tight rail:min-h-0'

interface TabProps extends Omit<ComponentProps<'button'>, 'className'> {
  icon: ReactNode
}

function Tab({ icon, children, ...rest }: TabProps) {
  return (
    <button type="button" {...rest} className={tabClass}>
      <TabContent icon={icon}>{children}</TabContent>
    </button>
  )
}

function TabContent({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <>
      {icon}
      {/* Large text does not fit: icons alone. */}
      <span className="@max-[2.75rem]:sr-only max-w-full truncate font-semibold">{children}</span>
    </>
  )
}
