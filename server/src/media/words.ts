import { searchable } from '../kit/searchable.ts'

/** What a search looks in of a file itself; its notes and tags have texts of their own. */
export function searchTextOf(file: {
  original_name: string
  location?: string | null
  camera?: string | null
}): string {
  // A line break between them, so that no search matches across two things.
  return [file.original_name, file.location, file.camera]
    .filter(Boolean)
    .map(words => searchable(words ?? ''))
    .join('\n')
}

/** Sorts names as people count: IMG_2 before IMG_10. A number is led by how many digits it has. */
export function naturalSortKey(name: string): string {
  return searchable(name).replace(/\d+/g, digits => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return `${String(number.length).padStart(3, '0')}${number}`
  })
}
