import { LogOut } from 'lucide-react'
import { useState, useTransition } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import type { NotificationTarget } from '#contract/notifications.ts'
import type { User } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { useSession } from '../auth/SessionProvider.tsx'
import { clearDraftsAndOutbox } from '../chat/drafts.ts'
import { useAppSettings } from '../kit/settings.ts'
import { NotificationBell } from '../notifications/NotificationBell.tsx'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Logo } from '../ui/Logo.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { TabBar } from './TabBar.tsx'
import { texts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'
import { useUploadDialog } from './upload-dialog-store.ts'

/** On phones, everything but the title is in the tab bar. */
export function TopBar({ onShow }: { onShow: (target: NotificationTarget) => void }) {
  const { session, signOut } = useSession()
  const [leaving, startLeaving] = useTransition()
  const [asking, setAsking] = useState(false)
  const [alertsOpen, setAlertsOpen] = useState(false)
  const { uploading } = useUploadDialog()
  const tabs = useScreen('tabs')
  const { pathname } = useLocation()
  if (session.status !== 'authenticated') return null
  const { user } = session
  const leave = () =>
    startLeaving(async () => {
      await signOut()
      clearDraftsAndOutbox()
    })
  const alerts = { open: alertsOpen, onOpenChange: setAlertsOpen, onOpen: onShow }
  const logOut = () => (uploading ? setAsking(true) : leave())
  return (
    <header className="border-line border-b bg-paper no-tabs:sticky no-tabs:top-0 no-tabs:z-30 tabs:pt-(--top-inset)">
      <div className="flex min-h-14 items-center gap-1 px-[16px] sm:px-6 tabs:min-h-12 tabs:flex-wrap">
        <Title />
        {tabs ? (
          pathname === '/' && (
            <div className="ml-auto shrink-0">
              <UploadButton label={texts.uploadFiles} variant="soft" />
            </div>
          )
        ) : (
          <Pages user={user} />
        )}
        {!tabs && (
          <div className="ml-auto flex shrink-0 items-center gap-1">
            <AccountMenu user={user} />
            <NotificationBell {...alerts} />
            <Button
              variant="bare"
              icon={<LogOut aria-hidden="true" className="size-5" />}
              busy={leaving}
              onClick={logOut}
              title={texts.logOut}
            >
              <span className="sr-only lg:not-sr-only">{texts.logOut}</span>
            </Button>
          </div>
        )}
      </div>
      {tabs && <TabBar user={user} signOut={logOut} alerts={alerts} />}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={texts.logOutWhileUploading.title}
        text={texts.logOutWhileUploading.text}
        confirmLabel={texts.logOut}
        cancelLabel={texts.logOutWhileUploading.cancel}
        onConfirm={() => {
          setAsking(false)
          leave()
        }}
      />
    </header>
  )
}

function Title() {
  const { title } = useAppSettings()
  return (
    <Link to="/" className="mr-2 flex min-h-touch min-w-0 items-center gap-3 rounded-control">
      <Logo className="size-8 shrink-0 tabs:size-7" />
      <span className="line-clamp-2 font-semibold font-serif text-[min(1.25rem,6.5vw)] leading-[1.2]" dir="auto">
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
