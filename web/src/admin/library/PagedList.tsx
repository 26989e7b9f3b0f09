import type { ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useKeepFocus } from '../../ui/hooks.ts'
import { LoadFailed } from '../../ui/LoadingOrError.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { texts } from './texts.ts'

interface Props<Line> {
  lines: Line[] | undefined
  error: Error | null
  retry: () => void
  more: { load: () => void; busy: boolean } | undefined
  empty: { title: string; text: string }
  children: (line: Line) => ReactNode
}

/** A paginated list in all its states: loading, failed, empty, and with more to load. */
export function PagedList<Line extends { id: number }>({ lines, error, retry, more, empty, children }: Props<Line>) {
  const keepFocus = useKeepFocus<HTMLDivElement>()
  if (lines === undefined) {
    return (
      <div className="grid min-h-60 place-items-center p-6">
        {error === null ? (
          <Spinner label={texts.loading} />
        ) : (
          <LoadFailed error={error} retry={retry} texts={texts.failed} />
        )}
      </div>
    )
  }
  return (
    <div {...keepFocus} className="rounded-card">
      {lines.length === 0 ? (
        <div className="p-6">
          <EmptyState {...empty} />
        </div>
      ) : (
        <ul className="divide-y divide-line">
          {lines.map(line => (
            <li key={line.id} className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-4 sm:px-6">
              {children(line)}
            </li>
          ))}
        </ul>
      )}
      {more && (
        <div className="border-line border-t p-4 text-center">
          <Button busy={more.busy} onClick={more.load}>
            {texts.more}
          </Button>
        </div>
      )}
    </div>
  )
}
