/** Letters as people mean them when they search: no case, no accents. */
export function searchable(text: string): string {
  // Accents that stand by themselves go first: normalising sorts a run of them, which takes long for thousands.
  const decomposed = text.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '')
  // Up and down again, so that letters which only one case tells apart become one: STRASSE is Straße, ΟΔΟΣ is οδος.
  const oneCase = decomposed.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return oneCase.replace(/\s+/g, ' ').trim()
}
