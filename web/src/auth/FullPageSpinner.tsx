import { Spinner } from '../ui/Spinner.tsx'
import { texts } from './texts.ts'

/** Stands while it is not yet known who is here. */
export function FullPageSpinner() {
  return (
    <main className="grid min-h-svh place-items-center p-6">
      <Spinner label={texts.loading} />
    </main>
  )
}
