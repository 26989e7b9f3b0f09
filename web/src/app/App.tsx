import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { toast } from '#contract/limits.ts'
import type { Arrival } from '../auth/arrival.ts'
import { SessionProvider } from '../auth/session.tsx'
import { Toaster } from '../ui/Toaster.tsx'
import { CrashGuard } from './CrashGuard.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { AppRoutes } from './routes.tsx'
import { texts } from './texts.ts'

export function App({ arrival, queryClient }: { arrival: Arrival; queryClient: QueryClient }) {
  return (
    <CrashGuard>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <OfflineBanner />
          <BrowserRouter>
            <AppRoutes arrival={arrival} />
          </BrowserRouter>
        </SessionProvider>
        <Toaster duration={toast.lasts} label={texts.toasts.label} closeLabel={texts.toasts.close} />
      </QueryClientProvider>
    </CrashGuard>
  )
}
