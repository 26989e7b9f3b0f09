import { type MediaFilter, writeFilterParams } from '#contract/media-filter.ts'

/** The gallery's URL for a filter, from another page. */
export function filterPath(filter: MediaFilter): string {
  const params = new URLSearchParams(writeFilterParams(filter)).toString()
  return params === '' ? '/' : `/?${params}`
}
