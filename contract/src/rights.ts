export type Role = 'admin' | 'member'

/** All permissions and the roles that have them: the only place that decides this. */
const rights = {
  'session.use': ['member', 'admin'],
  'people.see': ['member', 'admin'],
  'people.review': ['admin'],
  'media.see': ['member', 'admin'],
  'media.upload': ['member', 'admin'],
  'media.edit': ['member', 'admin'],
  'notes.edit': ['member', 'admin'],
  'chat.use': ['member', 'admin'],
  'notifications.use': ['member', 'admin'],
  'library.care': ['admin'],
} as const satisfies Record<string, readonly Role[]>

export type Act = keyof typeof rights

export function can(role: Role, act: Act): boolean {
  return (rights[act] as readonly Role[]).includes(role)
}
