/** Dates and numbers in the person's own language and order. */

export function formatDate(moment: string, language?: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(moment))
}

export function formatDateAndTime(moment: string, language?: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short' }).format(new Date(moment))
}

export function formatCount(count: number, language?: string): string {
  return new Intl.NumberFormat(language).format(count)
}
