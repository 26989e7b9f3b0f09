import { Link, Navigate, useSearchParams } from 'react-router'
import { LoginError, signInPath, unusedInvitationParam } from '#contract/auth.ts'
import { useContacts } from '../kit/contacts.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { Button } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Notice } from '../ui/Notice.tsx'
import { FullPageSpinner } from './FullPageSpinner.tsx'
import { InvitationCard, useInvitation } from './InvitationCard.tsx'
import { useSession } from './SessionProvider.tsx'
import { texts } from './texts.ts'
import { useAccessRequest, WaitingForApproval } from './WaitingForApproval.tsx'

export function LoginPage() {
  usePageTitle(texts.login.page)
  const { session } = useSession()
  if (session.status === 'loading') return <FullPageSpinner />
  if (session.status === 'authenticated') return <Navigate to="/" replace />
  return <Cover />
}

/** Styled as a closed album: cloth, with a paper label that shows the family's name. */
function Cover() {
  const settings = useContacts()
  const invitation = useInvitation()
  const error = useLoginError()
  const request = useAccessRequest(error === 'pending_approval')
  // Also while that is asked, so that the page does not jump.
  const isWaiting =
    error === 'pending_approval' &&
    (request.isPending || (request.data !== undefined && request.data.status !== 'denied'))
  return (
    <main className="bookcloth relative grid min-h-svh place-items-center py-6 pr-[16px] pl-[calc(var(--spine)+16px)]">
      <div
        aria-hidden="true"
        className="tooled-line pointer-events-none absolute inset-y-8 right-8 left-[calc(var(--spine)+2rem)] hidden sm:block"
      />
      <div className="wrap-anywhere relative w-full min-w-0 max-w-md rounded-card bg-raised p-[8px] shadow-high">
        <div className="flex flex-col gap-6 rounded-[6px] border border-line px-[min(1.25rem,5vw)] py-8 sm:px-9 sm:py-10">
          <header className="flex flex-col items-center gap-4 text-center">
            <Logo className="size-14" />
            <h1 className="max-w-full font-semibold text-[min(2.25rem,11vw)] leading-[1.15]" dir="auto">
              {settings.title}
            </h1>
            <div aria-hidden="true" className="h-0.5 w-10 rounded-full bg-accent" />
          </header>
          <Refusal error={error} request={request.data} />
          <InvitationCard {...invitation} />
          {isWaiting ? (
            <p className="flex flex-wrap items-center justify-center gap-x-1 text-ink-soft text-small">
              {texts.waiting.notYou}
              <Button variant="bare" onClick={signIn}>
                <span className="font-normal text-small underline underline-offset-4">{texts.login.button}</span>
              </Button>
            </p>
          ) : (
            <>
              <div className="flex flex-col gap-1 text-center">
                <h2 className="font-semibold text-lead">{texts.login.heading}</h2>
                <p className="text-balance text-ink-soft">{texts.login.promise}</p>
              </div>
              <div className="flex flex-col gap-3 text-center">
                <Button wide icon={<GoogleLogo />} busy={invitation.isLoading} onClick={signIn}>
                  {texts.login.button}
                </Button>
                <p className="text-small text-ink-soft">{texts.login.secure}</p>
              </div>
            </>
          )}
          <footer className="flex flex-col gap-2 text-balance border-line border-t pt-4 text-center text-fine text-ink-soft">
            <p>{texts.login.terms}</p>
            {settings.demo && <p>{texts.login.demo}</p>}
            <Link to="/about" className="self-center py-1 underline underline-offset-4">
              {texts.login.about}
            </Link>
          </footer>
        </div>
      </div>
    </main>
  )
}

const signIn = () => window.location.assign(signInPath)

/** Why the last sign-in failed, from the `error` query parameter, or why the session ended. */
function useLoginError(): LoginError | undefined {
  const { session } = useSession()
  const [search] = useSearchParams()
  const lostAccess = session.status === 'anonymous' && session.lostAccess
  return LoginError.safeParse(lostAccess ? 'auth_failed' : search.get('error')).data
}

interface RefusalProps {
  error: LoginError | undefined
  request: Parameters<typeof WaitingForApproval>[0]['request'] | undefined
}

function Refusal({ error, request }: RefusalProps) {
  const settings = useContacts()
  const [search] = useSearchParams()
  if (error === undefined) return null
  if (error === 'too_many_attempts') {
    return (
      <Notice>
        <p>{texts.login.tooMany}</p>
      </Notice>
    )
  }
  const pending = error === 'pending_approval'
  return (
    <>
      <Notice>
        <p>{texts.login.denied}</p>
        {pending && <p>{texts.login.callSomeone(settings)}</p>}
      </Notice>
      {pending && search.get(unusedInvitationParam) === 'unused' && (
        <p className="rounded-card bg-accent-wash p-4 text-small">{texts.invitation.unused}</p>
      )}
      {pending && request && <WaitingForApproval request={request} />}
    </>
  )
}

function GoogleLogo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className="size-5">
      <path
        fill="#4285f4"
        d="M23.5 12.3c0-.8-.1-1.6-.2-2.3H12v4.5h6.5a5.5 5.5 0 0 1-2.4 3.6v3h3.9c2.2-2.1 3.5-5.1 3.5-8.8Z"
      />
      <path
        fill="#34a853"
        d="M12 24c3.2 0 6-1.1 8-2.9l-3.9-3c-1.1.7-2.5 1.2-4.1 1.2-3.1 0-5.8-2.1-6.7-5h-4v3.1A12 12 0 0 0 12 24Z"
      />
      <path fill="#fbbc05" d="M5.3 14.3a7.2 7.2 0 0 1 0-4.6V6.6h-4a12 12 0 0 0 0 10.8l4-3.1Z" />
      <path fill="#ea4335" d="M12 4.7c1.8 0 3.3.6 4.6 1.8L20 3.1A12 12 0 0 0 1.3 6.6l4 3.1c.9-2.9 3.6-5 6.7-5Z" />
    </svg>
  )
}
