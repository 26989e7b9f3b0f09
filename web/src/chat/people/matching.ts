import type { Person } from '#contract/people.ts'

/** Those whose name or username contains it, whatever case or accents. */
export function matching<Named extends Pick<Person, 'name' | 'username'>>(
  people: readonly Named[],
  search: string,
): readonly Named[] {
  const wanted = plain(search.trim())
  return people.filter(({ name, username }) => plain(name).includes(wanted) || plain(username).includes(wanted))
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
