import type { Person } from '#contract/people.ts'

/** People whose name or username contains the text, ignoring case and accents. */
export function filterPeople<Named extends Pick<Person, 'name' | 'username'>>(
  people: readonly Named[],
  search: string,
): readonly Named[] {
  const wanted = withoutAccents(search.trim())
  return people.filter(
    ({ name, username }) => withoutAccents(name).includes(wanted) || withoutAccents(username).includes(wanted),
  )
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
