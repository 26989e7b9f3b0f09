import { Link, Navigate, useSearchParams } from 'react-router'
import { LoginError, signInPath } from '#contract/auth.ts'
import { useAppSettings, usePageTitle } from '../kit/settings.ts'
import { Button } from '../ui/Button.tsx'
import { Logo } from '../ui/Logo.tsx'
import { Notice } from '../ui/Notice.tsx'
import { FullPageSpinner } from './FullPageSpinner.tsx'
import { GoogleLogo } from './GoogleLogo.tsx'
import { useSession } from './SessionProvider.tsx'
import { texts } from './texts.ts'

export function LoginPage() {
  usePageTitle(texts.login.page)
  const { session } = useSession()
  if (session.status === 'loading') return <FullPageSpinner />
  if (session.status === 'authenticated') return <Navigate to="/" replace />
  return <Cover />
}

/** The closed album: bookcloth, and a paper label with the family's name on it. */
function Cover() {
  const settings = useAppSettings()
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
          <Refusal />
          <div className="flex flex-col gap-1 text-center">
            <h2 className="font-semibold text-lead">{texts.login.heading}</h2>
            <p className="text-balance text-ink-soft">{texts.login.promise}</p>
          </div>
          <div className="flex flex-col gap-3 text-center">
            <Button wide icon={<GoogleLogo />} onClick={() => window.location.assign(signInPath)}>
              {texts.login.button}
            </Button>
            <p className="text-small text-ink-soft">{texts.login.secure}</p>
          </div>
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

/** Why the last attempt did not lead in, as the address says it. */
function Refusal() {
  const settings = useAppSettings()
  const [search] = useSearchParams()
  const error = LoginError.safeParse(search.get('error'))
  if (!error.success) return null
  if (error.data === 'too_many_attempts') {
    return (
      <Notice>
        <p>{texts.login.tooMany}</p>
      </Notice>
    )
  }
  return (
    <Notice>
      <p>{texts.login.denied}</p>
      {error.data === 'pending_approval' && <p>{texts.login.callSomeone(settings)}</p>}
    </Notice>
  )
}
