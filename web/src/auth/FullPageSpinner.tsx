import { Spinner } from '../ui/Spinner.tsx'
import { texts } from './texts.ts'

/** Shown while the session is being loaded. */
export function FullPageSpinner() {
  return (
    <main className="grid min-h-svh place-items-center p-6">
      <Spinner label={texts.loading} />
    </main>
  )
}
