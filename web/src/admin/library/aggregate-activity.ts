import type { ActivityLine } from '#contract/admin.ts'
import { aggregationKey } from './describe-activity.ts'

/** One act on several files: consecutive lines of a person that read as one sentence. What others do may be between them. */
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
  /** The last group of each person. */
  const groups = new Map<number | undefined, AggregatedActivity>()
  for (const line of newestFirst) {
    let group = groups.get(line.actor?.id)
    const last = group?.lines.at(-1)
    if (group !== undefined && last !== undefined && belongTogether(last, line)) group.lines.push(line)
    else {
      group = { id: line.id, lines: [line] }
      aggregated.push(group)
      groups.set(line.actor?.id, group)
    }
  }
  return aggregated
}

function belongTogether(newer: ActivityLine, older: ActivityLine): boolean {
  const key = aggregationKey(newer)
  return key !== undefined && key === aggregationKey(older) && Date.parse(newer.at) - Date.parse(older.at) <= GAP_MS
}
