import { Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { Outlet, useLocation, useNavigationType, useSearchParams } from 'react-router'
import type { User } from '#contract/people.ts'
import { useSession } from '../auth/SessionProvider.tsx'
import { useLastChangesOpen } from '../changes/dialog-store.ts'
import { ChatProvider, useChat } from '../chat/ChatProvider.tsx'
import { ChatWidget, FloatingChatButton } from '../chat/ChatWidget.tsx'
import { useFullScreenChat } from '../chat/use-full-screen-chat.ts'
import { useWaitingHearts } from '../hearts/hearts.ts'
import { MeProvider, useMe } from '../kit/me.tsx'
import { adoptLanguage } from '../kit/messages.ts'
import { useUndoKeys } from '../kit/use-undo-keys.ts'
import { useLinkDialog } from '../links/link-dialog-store.ts'
import { useLiveUpdates } from '../live/use-live-updates.ts'
import { useRecordVisits } from '../memories/queries.ts'
import { useRefusedDrafts } from '../notes/drafts.ts'
import { useOutbox } from '../outbox/use-outbox.ts'
import { useEver } from '../ui/hooks.ts'
import { prefetchedDialog } from '../ui/prefetched-lazy.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { useScreen } from '../ui/use-screen.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { useKeeping } from './keep/keeping.ts'
import { NavigationRail } from './NavigationRail.tsx'
import { TopBar } from './TopBar.tsx'
import { texts } from './texts.ts'
import { UploadHost } from './UploadHost.tsx'
import { useOpenTarget } from './use-open-target.ts'
import { useOpenedNotifications } from './use-opened-notifications.ts'

const DeviceNotices = prefetchedDialog(async () => (await import('../device/DeviceNotices.tsx')).DeviceNotices)
const LastChanges = prefetchedDialog(async () => (await import('../changes/LastChanges.tsx')).LastChanges)
const LinkDialogHost = prefetchedDialog(async () => (await import('../links/LinkDialogHost.tsx')).LinkDialogHost)

const contentId = 'content'

/** The frame of every page for signed-in people: top bar, upload and chat. */
export function Layout() {
  const { session } = useSession()
  useLiveUpdates()
  if (session.status !== 'authenticated') return null
  return (
    <MeProvider user={session.user}>
      <ChatProvider key={session.user.id} me={session.user}>
        <Frame me={session.user} />
      </ChatProvider>
    </MeProvider>
  )
}

function Frame({ me }: { me: User }) {
  useOutbox(me.id)
  useRefusedDrafts()
  useWaitingHearts(me)
  useKeeping()
  useRecordVisits()
  useAdoptLanguage()
  useUndoKeys()
  useChatShortcut()
  const { pathname } = useLocation()
  const chat = useChat()
  const chatFillsScreen = useFullScreenChat() && chat.open
  const open = useOpenTarget()
  useOpenedNotifications(open.openTarget)
  const tabs = useScreen('tabs')
  const showsLastChanges = useEver(useLastChangesOpen())
  const showsLink = useEver(useLinkDialog() !== null)
  return (
    <>
      <div inert={chatFillsScreen} className="flex min-h-svh flex-col rail:pl-(--side)">
        <a
          href={`#${contentId}`}
          className="-translate-y-24 fixed top-2 left-2 z-50 rounded-control bg-accent px-4 py-3 font-semibold text-accent-ink focus:translate-y-0"
        >
          {texts.skipToContent}
        </a>
        <TopBar onShow={open.openTarget} />
        <div className="flex flex-1 items-start">
          {!tabs && <NavigationRail />}
          <Content key={pathname} wide={pathname === '/' || pathname === '/map' || pathname.startsWith('/albums/')} />
        </div>
        <UploadHost />
        {showsLastChanges && <LastChanges />}
      </div>
      <DeviceNotices person={chat.me.id} />
      {!tabs && <FloatingChatButton />}
      {showsLink && <LinkDialogHost />}
      <ChatWidget onOpenPhoto={open.openPhoto} />
    </>
  )
}

/** After sign-in only: a choice on another device must not reload this page while it is used. */
function useAdoptLanguage(): void {
  const language = useMe()?.language
  const adopt = useEffectEvent(() => language && adoptLanguage(language))
  useEffect(() => void adopt(), [])
}

/** Of the installed app: the chat opens over the gallery. */
function useChatShortcut(): void {
  const { reopen } = useChat()
  const [params, setParams] = useSearchParams()
  const wanted = params.has('chat')
  const act = useEffectEvent(() => {
    reopen()
    params.delete('chat')
    setParams(params, { replace: true })
  })
  useEffect(() => {
    if (wanted) act()
  }, [wanted])
}

/**
 * Remounted for every page. Photos use the full width; text is limited for readability, and leaves a lane for the
 * floating chat button where the window is too narrow to have one.
 */
function Content({ wide }: { wide: boolean }) {
  const main = useRef<HTMLElement>(null)
  const arrivedBy = useRef(useNavigationType())

  // A new page starts at the top, with the focus in its content for keyboards and screen readers. After Back, the browser
  // restores the scroll position.
  useEffect(() => {
    if (arrivedBy.current === 'POP') return
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [])

  return (
    <main
      ref={main}
      id={contentId}
      tabIndex={-1}
      className={`mx-auto w-full min-w-0 flex-1 self-stretch px-[16px] pb-[calc(7rem+var(--bottom-bar))] focus-visible:outline-none sm:px-6 ${wide ? '' : 'max-w-7xl pt-8 no-tabs:pr-24 min-[105rem]:pr-6'}`}
    >
      <ErrorBoundary>
        <Suspense
          fallback={
            <div className="grid min-h-[50svh] place-items-center">
              <Spinner label={texts.loading} />
            </div>
          }
        >
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  )
}
