import { usePageTitle } from '../kit/page-title.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { texts } from './texts.ts'

/** The session could not be checked. A bad connection signs nobody out. */
export function ServerUnreachable({ reason, retry }: { reason: string; retry: () => void }) {
  usePageTitle(texts.unreachable.heading)
  return (
    <main className="grid min-h-svh place-items-center p-6">
      <EmptyState headingLevel="h1" title={texts.unreachable.heading} text={reason}>
        <Button variant="primary" onClick={retry}>
          {texts.unreachable.retry}
        </Button>
      </EmptyState>
    </main>
  )
}
