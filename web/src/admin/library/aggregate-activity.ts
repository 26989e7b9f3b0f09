import type { ActivityLine } from '#contract/admin.ts'
import { aggregationKey } from '#contract/audit.ts'

/** One act on several files: consecutive lines that read as one sentence. */
export interface AggregatedActivity {
  /** Of the newest line. */
  id: number
  /** Newest first; at least one. */
  lines: [ActivityLine, ...ActivityLine[]]
}

/** Lines further apart are separate acts. */
const GAP_MS = 10 * 60_000

export function aggregateActivity(newestFirst: readonly ActivityLine[]): AggregatedActivity[] {
  const aggregated: AggregatedActivity[] = []
  let last: ActivityLine | undefined
  for (const line of newestFirst) {
    const group = aggregated.at(-1)
    if (group !== undefined && last !== undefined && belongTogether(last, line)) group.lines.push(line)
    else aggregated.push({ id: line.id, lines: [line] })
    last = line
  }
  return aggregated
}

function belongTogether(newer: ActivityLine, older: ActivityLine): boolean {
  const key = aggregationKey(newer)
  return (
    key !== undefined &&
    key === aggregationKey(older) &&
    newer.actor?.id === older.actor?.id &&
    Date.parse(newer.at) - Date.parse(older.at) <= GAP_MS
  )
}
