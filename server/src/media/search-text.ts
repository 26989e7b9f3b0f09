import { searchable } from '../kit/searchable.ts'

/** The searchable text of a file itself; notes and tags have their own. */
export function searchTextOf(file: {
  original_name: string
  caption?: string | null
  location?: string | null
  camera?: string | null
  sent_by?: string | null
}): string {
  // Separated by line breaks, so that no word matches across two of them.
  return [file.original_name, file.caption, file.location, file.camera, file.sent_by]
    .filter(Boolean)
    .map(words => searchable(words ?? ''))
    .join('\n')
}

/** Natural sort order: IMG_2 before IMG_10. Each number is prefixed with its number of digits. */
export function naturalSortKey(name: string): string {
  return searchable(name).replace(/\d+/g, digits => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return `${String(number.length).padStart(3, '0')}${number}`
  })
}
