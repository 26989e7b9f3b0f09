import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { toast } from '#contract/limits.ts'
import type { CallbackResult } from '../auth/callback-result.ts'
import { SessionProvider } from '../auth/SessionProvider.tsx'
import { ConfirmHost } from '../ui/confirm.tsx'
import { Toaster } from '../ui/Toaster.tsx'
import { AppRoutes } from './AppRoutes.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { texts } from './texts.ts'

export function App({ arrival, queryClient }: { arrival: CallbackResult; queryClient: QueryClient }) {
  return (
    <ErrorBoundary>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <ConnectionBanner />
          <BrowserRouter>
            <AppRoutes arrival={arrival} />
          </BrowserRouter>
          <ConfirmHost cancelLabel={texts.cancel} />
        </SessionProvider>
        <Toaster duration={toast.duration} label={texts.toasts.label} closeLabel={texts.toasts.close} />
      </QueryClientProvider>
    </ErrorBoundary>
  )
}
