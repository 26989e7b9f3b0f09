import type { ActivityLine } from '#contract/admin.ts'
import { gatheredKey } from '#contract/audit.ts'

/** One act on several files: consecutive lines that read as one sentence. */
export interface GatheredActivity {
  /** Of the newest line. */
  id: number
  /** Newest first; at least one. */
  lines: [ActivityLine, ...ActivityLine[]]
}

/** Lines further apart are separate acts. */
const GAP_MS = 10 * 60_000

export function gatherActivity(newestFirst: readonly ActivityLine[]): GatheredActivity[] {
  const gathered: GatheredActivity[] = []
  let last: ActivityLine | undefined
  for (const line of newestFirst) {
    const group = gathered.at(-1)
    if (group !== undefined && last !== undefined && belongTogether(last, line)) group.lines.push(line)
    else gathered.push({ id: line.id, lines: [line] })
    last = line
  }
  return gathered
}

function belongTogether(newer: ActivityLine, older: ActivityLine): boolean {
  const key = gatheredKey(newer)
  return (
    key !== undefined &&
    key === gatheredKey(older) &&
    newer.actor?.id === older.actor?.id &&
    Date.parse(newer.at) - Date.parse(older.at) <= GAP_MS
  )
}
