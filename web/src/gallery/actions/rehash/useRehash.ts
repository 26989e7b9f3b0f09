import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { toast } from 'sonner'
import { rehash as constants } from '#contract/limits.ts'
import { getMedia } from '#contract/media.ts'
import { call } from '../../../kit/api.ts'
import { invalidate } from '../../../kit/changes.ts'
import { texts } from '../../texts.ts'
import { inTurn } from './in-turn.ts'
import { firstStep, type RehashStep, rehashFile } from './rehash.ts'

export interface RehashRow extends RehashStep {
  id: number
  name: string
}

/** Rehashes files, and knows how far each is. A file that is at it already is not begun anew. */
export function useRehash() {
  const client = useQueryClient()
  const [rows, setRows] = useState<readonly RehashRow[]>([])
  const underWay = useRef(new Set<number>())

  const change = (id: number, change: Partial<RehashRow>) =>
    setRows(rows => rows.map(row => (row.id === id ? { ...row, ...change } : row)))

  async function rehashOne(id: number): Promise<void> {
    let name: string = texts.rehash.unnamed
    try {
      change(id, firstStep)
      const file = await call(getMedia, { params: { id } })
      name = file.original_name
      change(id, { name })
      await rehashFile(file, step => change(id, step))
      toast.success(texts.rehash.success(name))
    } catch (error) {
      change(id, { state: 'error' })
      toast.error(texts.rehash.failure(name), error instanceof Error ? { description: error.message } : {})
    }
  }

  async function begin(ids: readonly number[]): Promise<void> {
    const added = ids.filter(id => !underWay.current.has(id))
    for (const id of added) underWay.current.add(id)
    setRows(rows => [...rows, ...added.map(waiting)])
    await inTurn(added, constants.atOnce, rehashOne)
    for (const id of added) underWay.current.delete(id)
    setRows(rows => rows.filter(({ id }) => !added.includes(id)))
    await invalidate(client, { kind: 'media', ids: added })
  }
  return { rows, begin }
}

function waiting(id: number): RehashRow {
  return { id, name: texts.rehash.unnamed, state: 'waiting', percent: 0 }
}
