import '../kit/zod-without-eval.ts'
import '../ui/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeCallbackResult } from '../auth/callback-result.ts'
import { prefetchSession } from '../auth/SessionProvider.tsx'
import { askAhead } from '../gallery/ahead.ts'
import { untilSeen } from '../gallery/shownAhead.ts'
import { assignHistoryKey } from '../kit/navigation.ts'
import { createQueryClient } from '../kit/queries.ts'
import { watchTheme } from '../kit/theme.ts'
import { readToken, syncTokenAcrossTabs } from '../kit/token.ts'
import { App } from './App.tsx'

/** How long the first screen waits for what it is to show. app/ahead.ts asked for most of it a while ago. */
const PATIENCE_MS = 100

const queryClient = createQueryClient()
void start()

async function start(): Promise<void> {
  // First of all, before a router or a request can see the address.
  const arrival = takeCallbackResult()
  assignHistoryKey()
  syncTokenAcrossTabs()
  watchTheme()

  // Drawn once with its photos it is there sooner than drawn as a spinner, as an empty page, and then with them.
  if (readToken() !== null) await Promise.race([readAhead(), pause(PATIENCE_MS)])
  // To draw the page takes a while, in which nothing else is painted.
  await Promise.race([untilSeen(), pause(PATIENCE_MS)])

  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <App arrival={arrival} queryClient={queryClient} />
    </StrictMode>,
  )
}

/** What the first screen needs, in the order in which it has to be read: see kit/live-position.ts. */
async function readAhead(): Promise<void> {
  await prefetchSession(queryClient)
  if (location.pathname === '/') await askAhead(queryClient, location.search)
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds))
}
