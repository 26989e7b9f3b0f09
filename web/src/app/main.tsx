import '../ui/styles.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { takeArrival } from '../auth/arrival.ts'
import { createQueryClient } from '../kit/queries.ts'
import { followTheme } from '../kit/theme.ts'
import { hearOtherTabs } from '../kit/token.ts'
import { App } from './App.tsx'

// First of all, before a router or a request can see the address.
const arrival = takeArrival()
hearOtherTabs()
followTheme()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App arrival={arrival} queryClient={createQueryClient()} />
  </StrictMode>,
)
