import '../ui/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeArrival } from '../auth/arrival.ts'
import { askAhead } from '../gallery/files/queries.ts'
import { createQueryClient } from '../kit/queries.ts'
import { followTheme } from '../kit/theme.ts'
import { hearOtherTabs, readToken } from '../kit/token.ts'
import { App } from './App.tsx'

// First of all, before a router or a request can see the address.
const arrival = takeArrival()
hearOtherTabs()
followTheme()

const queryClient = createQueryClient()
if (readToken() !== null && location.pathname === '/') askAhead(queryClient, location.search)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App arrival={arrival} queryClient={queryClient} />
  </StrictMode>,
)
