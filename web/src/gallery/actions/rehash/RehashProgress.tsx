import { createPortal } from 'react-dom'
import { texts } from '../../texts.ts'
import type { RehashRow } from './useRehash.ts'

/** How far the rehashing is: a line for each file that is at it now, and a count of all. It stands above an open photo. */
export function RehashProgress({ rows }: { rows: readonly RehashRow[] }) {
  if (rows.length === 0) return null
  const done = rows.filter(({ state }) => state === 'completed' || state === 'error').length
  const atIt = rows.filter(({ state }) => state === 'downloading' || state === 'hashing' || state === 'updating')
  return createPortal(
    <section
      aria-label={texts.rehash.progress}
      className="fixed right-4 bottom-[calc(var(--dock,0px)+6rem)] z-50 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-3 rounded-card border border-line bg-raised p-4 text-ink shadow-high"
    >
      <p role="status" className="font-semibold text-small">
        {texts.rehash.done(done, rows.length)}
      </p>
      {atIt.map(row => (
        <div key={row.id} className="flex flex-col gap-1 text-small">
          <div className="flex justify-between gap-3">
            <bdi className="truncate">{row.name}</bdi>
            <span className="shrink-0 text-ink-soft">
              {texts.rehash.states[row.state]} {row.percent}%
            </span>
          </div>
          <progress aria-label={row.name} max={100} value={row.percent} className="h-1.5 w-full" />
        </div>
      ))}
    </section>,
    document.body,
  )
}
