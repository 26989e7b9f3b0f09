import { Suspense } from 'react'
import { Link, Outlet } from 'react-router'
import { FullPageSpinner } from '../auth/FullPageSpinner.tsx'
import { useSession } from '../auth/SessionProvider.tsx'
import { Logo } from '../ui/Logo.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Layout } from './Layout.tsx'
import { texts } from './texts.ts'

/** For pages without sign-in: uses the normal layout for people who are signed in. */
export function PublicLayout() {
  const { session } = useSession()
  if (session.status === 'loading') return <FullPageSpinner />
  if (session.status === 'authenticated') return <Layout />
  return (
    <main className="mx-auto w-full max-w-7xl px-[16px] pt-8 pb-16 sm:px-6">
      <Link to="/login" className="mb-8 inline-flex min-h-touch items-center gap-3 font-semibold text-accent">
        <Logo className="size-8" />
        {texts.toSignIn}
      </Link>
      <ErrorBoundary>
        <Suspense fallback={<FullPageSpinner />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </main>
  )
}
