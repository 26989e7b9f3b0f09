import { features } from './features.ts'
import type { Role } from './role.ts'

type Features = typeof features
export type Act = { [Name in keyof Features]: keyof Features[Name]['rights'] }[keyof Features]

const rights = new Map<string, readonly Role[]>(Object.values(features).flatMap(({ rights }) => Object.entries(rights)))

export function can(role: Role, act: Act): boolean {
  return rights.get(act)?.includes(role) ?? false
}

/** Their own notes, and with the right also those of others. */
export function canEditNote(person: { role: Role; isAuthor: boolean }): boolean {
  return person.isAuthor || can(person.role, 'notes.edit-others')
}
