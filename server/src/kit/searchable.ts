/** Letters as people mean them when they search: no case, no accents. */
export function searchable(text: string): string {
  // Up and down again, so that letters which only one case tells apart become one: STRASSE is Straße, ΟΔΟΣ is οδος.
  const oneCase = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return oneCase.replace(/\s+/g, ' ').trim()
}
