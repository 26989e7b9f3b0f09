import { ApiError } from '../../kit/api.ts'
import { texts } from '../texts.ts'

/** In place of a file that did not come: gone for good, or only for the moment. */
export function NotThere({ error, retry }: { error: Error; retry: () => void }) {
  if (error instanceof ApiError && error.status === 404) return <p className="stage-message">{texts.gone}</p>
  return (
    <div className="absolute inset-0 grid place-items-center p-6">
      <div className="viewer-card flex max-w-md flex-col items-center gap-3 p-6 text-center">
        <p>{error.message}</p>
        <button type="button" onClick={retry} className="viewer-chip">
          {texts.retry}
        </button>
      </div>
    </div>
  )
}
