import { LogOut } from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink } from 'react-router'
import type { NotificationTarget } from '#contract/notifications.ts'
import type { User } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { useSession } from '../auth/SessionProvider.tsx'
import { useAppSettings } from '../kit/settings.ts'
import { NotificationBell } from '../notifications/NotificationBell.tsx'
import { Button } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { TabBar } from './TabBar.tsx'
import { texts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'
import { useSignOut } from './use-sign-out.tsx'

/** The head of every page. On phones it has the title, the notifications and Upload; everything else is in the tab bar. */
export function TopBar({ onShow }: { onShow: (target: NotificationTarget) => void }) {
  const { session } = useSession()
  const { signOut, leaving, question } = useSignOut()
  const [notificationsOpen, setNotificationsOpen] = useState(false)
  const [tabs, wide, mouse] = [useScreen('tabs'), useScreen('lg'), useScreen('mouse')]
  const desktop = wide && mouse
  if (session.status !== 'authenticated') return null
  const { user } = session
  const bell = <NotificationBell open={notificationsOpen} onOpenChange={setNotificationsOpen} onOpen={onShow} />
  return (
    <header className="top-bar">
      <div className="@container flex min-h-12 items-center gap-1 px-[16px] sm:px-6">
        <Title />
        {tabs ? (
          <div className="ml-auto flex shrink-0 items-center gap-1">
            {bell}
            <UploadButton label={texts.uploadFiles} variant="soft" />
          </div>
        ) : (
          <>
            <Pages user={user} />
            <div className="ml-auto flex shrink-0 items-center gap-1">
              <AccountMenu user={user} onSignOut={desktop ? undefined : signOut} />
              {bell}
              {desktop && (
                <Button
                  variant="bare"
                  icon={<LogOut aria-hidden="true" className="size-5" />}
                  busy={leaving}
                  onClick={signOut}
                >
                  {texts.logOut}
                </Button>
              )}
            </div>
          </>
        )}
      </div>
      {tabs && <TabBar user={user} signOut={signOut} />}
      {question}
    </header>
  )
}

function Title() {
  const { title } = useAppSettings()
  return (
    <Link to="/" className="mr-2 flex min-h-touch min-w-0 items-center gap-3 rounded-control">
      <Logo className="size-7 shrink-0" />
      <span className="line-clamp-2 font-semibold font-serif text-[min(1.25rem,6.5vw)] leading-[1.1]" dir="auto">
        {title}
      </span>
    </Link>
  )
}

function Pages({ user }: { user: User }) {
  return (
    <nav aria-label={texts.mainNavigation} className="flex shrink-0 items-center gap-1">
      <PageLink to="/">{texts.gallery}</PageLink>
      <UploadButton label={texts.upload} variant="bare" />
      {can(user.role, 'people.review') && <PageLink to="/admin">{texts.admin}</PageLink>}
    </nav>
  )
}

function PageLink({ to, children }: { to: string; children: string }) {
  return (
    <NavLink
      to={to}
      end
      className="page-link inline-flex min-h-touch items-center rounded-control px-3 font-semibold text-ink-soft hover:text-ink"
    >
      {children}
    </NavLink>
  )
}
