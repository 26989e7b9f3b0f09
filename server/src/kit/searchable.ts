/** Normalises text for search: without case and accents. */
export function searchable(text: string): string {
  // Combining marks are removed first: normalising sorts a run of them, which is slow for thousands.
  const decomposed = text.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '')
  // Upper and then lower case, so that variants of a letter become one: STRASSE matches Straße, ΟΔΟΣ matches οδος.
  const oneCase = decomposed.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return oneCase.replace(/\s+/g, ' ').trim()
}
