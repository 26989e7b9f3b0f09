import { LogOut } from 'lucide-react'
import { useState, useTransition } from 'react'
import { Link, NavLink } from 'react-router'
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
import { useMinWidth } from '../ui/use-min-width.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { MobileMenu } from './MobileMenu.tsx'
import { texts } from './texts.ts'
import { UploadButton } from './UploadButton.tsx'
import { useUploadDialog } from './upload-dialog-store.ts'

/** Below 48 rem, everything but the title and the bell moves into a menu. */
export function TopBar({ onShow }: { onShow: (target: NotificationTarget) => void }) {
  const { session, signOut } = useSession()
  const [leaving, startLeaving] = useTransition()
  const [asking, setAsking] = useState(false)
  const { uploading } = useUploadDialog()
  const wide = useMinWidth('md')
  if (session.status !== 'authenticated') return null
  const { user } = session
  const leave = () =>
    startLeaving(async () => {
      await signOut()
      clearDraftsAndOutbox()
    })
  const logOut = () => (uploading ? setAsking(true) : leave())
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-paper">
      <div className="mx-auto flex min-h-16 max-w-[100rem] items-center gap-1 px-[16px] sm:px-6">
        <Title />
        {wide && <Pages user={user} />}
        <div className="ml-auto flex shrink-0 items-center gap-1">
          {wide && <AccountMenu user={user} />}
          <NotificationBell onOpen={onShow} />
          {wide ? (
            <Button
              variant="bare"
              icon={<LogOut aria-hidden="true" className="size-5" />}
              busy={leaving}
              onClick={logOut}
              title={texts.logOut}
            >
              <span className="sr-only lg:not-sr-only">{texts.logOut}</span>
            </Button>
          ) : (
            <MobileMenu user={user} signOut={logOut} />
          )}
        </div>
      </div>
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
      <Logo className="size-8 shrink-0" />
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
      <UploadButton label={texts.upload} />
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
