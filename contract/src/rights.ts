import { z } from 'zod'

/** A viewer sees everything, gives hearts, chats and writes notes, but changes and uploads nothing else. */
export const Role = z.enum(['viewer', 'member', 'admin'])
export type Role = z.infer<typeof Role>

/** All permissions and the roles that have them: the only place that decides this. */
const rights = {
  'session.use': ['viewer', 'member', 'admin'],
  'people.see': ['viewer', 'member', 'admin'],
  'people.review': ['admin'],
  'media.see': ['viewer', 'member', 'admin'],
  'media.upload': ['member', 'admin'],
  'media.edit': ['member', 'admin'],
  'trash.manage-others': ['admin'],
  'albums.edit': ['member', 'admin'],
  'albums.edit-others': ['admin'],
  'links.make': ['member', 'admin'],
  'links.manage-others': ['admin'],
  'media.heart': ['viewer', 'member', 'admin'],
  'notes.write': ['viewer', 'member', 'admin'],
  'notes.edit-others': ['member', 'admin'],
  'notes.restore-others': ['admin'],
  'comments.edit-others': ['admin'],
  'chat.use': ['viewer', 'member', 'admin'],
  'notifications.use': ['viewer', 'member', 'admin'],
  'library.care': ['admin'],
} as const satisfies Record<string, readonly Role[]>

export type Act = keyof typeof rights

export function can(role: Role, act: Act): boolean {
  return (rights[act] as readonly Role[]).includes(role)
}

/** Their own notes, and with the right also those of others. */
export function canEditNote(person: { role: Role; isAuthor: boolean }): boolean {
  return person.isAuthor || can(person.role, 'notes.edit-others')
}
