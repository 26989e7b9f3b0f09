/** Letters as people mean them when they search: no case, no accents. */
export function searchable(text: string): string {
  // Up and down again, so that letters which only one case tells apart become one: STRASSE is Straße, ΟΔΟΣ is οδος.
  const oneCase = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return oneCase.replace(/\s+/g, ' ').trim()
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

/** Sorts names as people count: IMG_2 before IMG_10. A number is led by how many digits it has. */
export function naturalKey(name: string): string {
  return searchable(name).replace(/\d+/g, digits => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return `${String(number.length).padStart(3, '0')}${number}`
  })
}
