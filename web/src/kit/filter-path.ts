import { type MediaFilter, writeFilterParams } from '#contract/media-filter.ts'

/** The gallery in the order in which files were added. */
export const RECENT_PATH = '/?sort=added'

/** The gallery's URL for a filter, from another page. */
export function filterPath(filter: MediaFilter): string {
  const params = new URLSearchParams(writeFilterParams(filter)).toString()
  return params === '' ? '/' : `/?${params}`
}
