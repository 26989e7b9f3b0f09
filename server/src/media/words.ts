/** Letters as people mean them when they search: no case, no accents. */
export function searchable(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim()
}

/** What a search looks in. */
export function searchText(file: {
  name: string
  location: string | null
  camera: string | null
  tags?: readonly string[]
  notes?: readonly string[]
}): string {
  const words = [file.name, file.location, file.camera, ...(file.tags ?? []), ...(file.notes ?? [])]
  // A line break between them, so that no search matches across two things.
  return words
    .filter(Boolean)
    .map(word => searchable(word ?? ''))
    .join('\n')
}

/** Sorts names as people count: IMG_2 before IMG_10. */
export function naturalKey(name: string): string {
  return searchable(name).replace(/\d+/g, digits => digits.replace(/^0+(?=\d)/, '').padStart(12, '0'))
}
