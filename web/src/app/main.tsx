import '../kit/zod-without-eval.ts'
import '../ui/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeCallbackResult } from '../auth/callback-result.ts'
import { readInvitationFromUrl } from '../auth/invitation.ts'
import { watchInstallOffers } from '../device/install.ts'
import { refetchWhenReachable } from '../kit/changes.ts'
import { assignHistoryKey } from '../kit/navigation.ts'
import { createQueryClient } from '../kit/queries.ts'
import { lockWithSession } from '../kit/saved-answers.ts'
import { watchTheme } from '../kit/theme.ts'
import { syncTokenAcrossTabs } from '../kit/token.ts'
import { followKeyboard } from '../ui/keyboard-inset.ts'
import { App } from './App.tsx'
import { keepOpenedFiles } from './opened-files.ts'
import { takePrefetchedStart } from './start.ts'

// First of all, before a router or a request can see the address.
const arrival = takeCallbackResult()
readInvitationFromUrl()
assignHistoryKey()
syncTokenAcrossTabs()
watchTheme()
watchInstallOffers()
lockWithSession()
keepOpenedFiles()
followKeyboard()
loadFonts()

const queryClient = createQueryClient()
refetchWhenReachable(queryClient)
void takePrefetchedStart(queryClient).then(render)

/** Replaces the skeleton in index.html. */
function render() {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  createRoot(root).render(
    <StrictMode>
      <App arrival={arrival} queryClient={queryClient} />
    </StrictMode>,
  )
}

/**
 * Requested before the first text is laid out, so that it rarely changes its font. Not preloaded in index.html, because
 * on a slow connection the fonts would delay the program.
 */
function loadFonts() {
  for (const family of ['Source Sans 3 Variable', 'Literata Variable']) {
    // Without the font, the text appears in a fallback font.
    document.fonts.load(`1em "${family}"`).catch(() => {})
  }
}
