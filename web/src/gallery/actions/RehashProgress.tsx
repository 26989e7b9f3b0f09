import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { toast } from 'sonner'
import { rehash as constants } from '#contract/limits.ts'
import { getMedia } from '#contract/media.ts'
import { showFailure } from '../../kit/action.ts'
import { call } from '../../kit/api.ts'
import { invalidate } from '../../kit/changes.ts'
import { texts } from '../texts.ts'
import { firstStep, type RehashProgressStep, rehashFile, runConcurrently } from './rehash.ts'

/** Progress of rehashing: a row per active file and a total. Stays above an open photo. */
export function RehashProgress({ rows }: { rows: readonly RehashRow[] }) {
  if (rows.length === 0) return null
  const done = rows.filter(({ state }) => state === 'completed' || state === 'error').length
  const active = rows.filter(({ state }) => state === 'downloading' || state === 'hashing' || state === 'updating')
  return createPortal(
    <section
      aria-label={texts.rehash.progress}
      className="fixed right-4 bottom-[calc(var(--bottom-bar)+6rem)] z-50 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-3 rounded-card border border-line bg-raised p-4 text-ink shadow-high"
    >
      <p role="status" className="font-semibold text-small">
        {texts.rehash.done({ done, total: rows.length })}
      </p>
      {active.map(row => (
        <div key={row.id} className="flex flex-col gap-1 text-small">
          <div className="flex justify-between gap-3">
            <bdi className="truncate">{row.name}</bdi>
            <span className="shrink-0 text-ink-soft">
              {texts.rehash.states[row.state]} {texts.percent({ percent: row.percent })}
            </span>
          </div>
          <progress aria-label={row.name} max={100} value={row.percent} className="h-1.5 w-full" />
        </div>
      ))}
    </section>,
    document.body,
  )
}

export interface RehashRow extends RehashProgressStep {
  id: number
  /** Empty until the file is loaded, when its row is shown first. */
  name: string
}

/** Rehashes files and tracks their progress. A file that is being rehashed is not started again. */
export function useRehash() {
  const client = useQueryClient()
  const [rows, setRows] = useState<readonly RehashRow[]>([])
  const running = useRef(new Set<number>())

  const change = (id: number, change: Partial<RehashRow>) =>
    setRows(rows => rows.map(row => (row.id === id ? { ...row, ...change } : row)))

  async function rehashOne(id: number): Promise<void> {
    let name: string | undefined
    try {
      const file = await call(getMedia, { params: { id } })
      name = file.original_name
      change(id, { name, ...firstStep })
      await rehashFile(file, step => change(id, step))
      toast.success(texts.rehash.success({ name }))
    } catch (error) {
      change(id, { state: 'error' })
      const { failure, failureUnnamed } = texts.rehash
      showFailure(name === undefined ? failureUnnamed : failure({ name }), error)
    }
  }

  async function begin(ids: readonly number[]): Promise<void> {
    const added = ids.filter(id => !running.current.has(id))
    for (const id of added) running.current.add(id)
    setRows(rows => [...rows, ...added.map(waiting)])
    await runConcurrently(added, constants.atOnce, rehashOne)
    for (const id of added) running.current.delete(id)
    setRows(rows => rows.filter(({ id }) => !added.includes(id)))
    await invalidate(client, { kind: 'media', ids: added })
  }
  return { rows, begin }
}

function waiting(id: number): RehashRow {
  return { id, name: '', state: 'waiting', percent: 0 }
}
