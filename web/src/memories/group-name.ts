import type { MemoryGroup } from '#contract/memories.ts'
import { texts } from './texts.ts'

/** As in "7 years ago, Lisbon"; its place is "Lisbon, Portugal". */
export function groupName({ years, place }: Pick<MemoryGroup, 'years' | 'place'>): string {
  return [texts.ago({ years }), place?.split(',')[0]].filter(Boolean).join(', ')
}
