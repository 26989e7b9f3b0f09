import { Button } from '../ui/Button.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { texts } from './texts.ts'

export function LoadingOrError({ error, retry }: { error: Error | null; retry: () => void }) {
  if (error === null) {
    return (
      <div className="grid flex-1 place-items-center p-8">
        <Spinner label={texts.loading} />
      </div>
    )
  }
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-4 p-8 text-center">
      <p className="text-ink-soft">{texts.loadFailed}</p>
      <Button onClick={retry}>{texts.retry}</Button>
    </div>
  )
}
