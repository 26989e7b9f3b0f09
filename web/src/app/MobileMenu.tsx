import { Images, Info, LogOut, MenuIcon, ShieldCheck, Upload } from 'lucide-react'
import { Link } from 'react-router'
import type { User } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { useGalleryAddress } from '../gallery/gallery-address.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../ui/Menu.tsx'
import { ThemeMenuItems } from './ThemeMenuItems.tsx'
import { texts } from './texts.ts'
import { openUploadDialog } from './upload-dialog-store.ts'

/** Everything of the top bar that does not fit on a narrow screen. */
export function MobileMenu({ user, signOut }: { user: User; signOut: () => void }) {
  const [{ folder }] = useGalleryAddress()
  return (
    <Menu
      trigger={
        <IconButton label={texts.menu}>
          <MenuIcon aria-hidden="true" className="size-6" />
        </IconButton>
      }
    >
      <div className="flex items-center gap-3 px-3 py-2">
        <Avatar name={user.name} src={user.avatar_url} />
        <span className="min-w-0 font-semibold" dir="auto">
          {user.name}
        </span>
      </div>
      <MenuSeparator />
      <MenuLink link={<Link to="/" />} icon={<Images aria-hidden="true" className="size-5" />}>
        {texts.gallery}
      </MenuLink>
      <MenuItem icon={<Upload aria-hidden="true" className="size-5" />} onClick={() => openUploadDialog(folder)}>
        {texts.upload}
      </MenuItem>
      {can(user.role, 'people.review') && (
        <MenuLink link={<Link to="/admin" />} icon={<ShieldCheck aria-hidden="true" className="size-5" />}>
          {texts.admin}
        </MenuLink>
      )}
      <MenuSeparator />
      <ThemeMenuItems />
      <MenuSeparator />
      <MenuLink link={<Link to="/about" />} icon={<Info aria-hidden="true" className="size-5" />}>
        {texts.about}
      </MenuLink>
      <MenuItem onClick={signOut} icon={<LogOut aria-hidden="true" className="size-5" />}>
        {texts.logOut}
      </MenuItem>
    </Menu>
  )
}
