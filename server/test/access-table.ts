import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isInScope } from '#contract/app-password-scopes.ts'
import { AppPasswordScope } from '#contract/app-passwords.ts'
import type { Role } from '#contract/role.ts'

/** They must never pass an endpoint that needs a session. */
export const outsiders = ['nobody', 'garbage token', 'pending', 'denied', 'revoked', 'ended app password'] as const
const roles = ['viewer', 'member', 'admin'] as const
/** The app passwords of people of each role, named as in `upload password of a member`. */
export const appPasswords = roles.flatMap(role =>
  AppPasswordScope.options.map(scope => ({ name: `${scope} password of a ${role}` as const, role, scope })),
)

/** Every kind of caller. */
export const callers = [...outsiders, ...roles, ...appPasswords.map(({ name }) => name)]
export type Caller = (typeof callers)[number]

export interface Row {
  /** As in `GET /api/folders/:id`; `ANY` means every method. */
  route: string
  expected: Record<Caller, number>
  /** The request to send; default: the route's path with an id that does not exist. */
  send?: Sent
  /** A resource of another person, if the route has such: nobody else may find it, not even admins. */
  anothers?: (things: Things) => Promise<Sent>
}

export interface Sent {
  /** For a route with any method: which of them to try. Default: all that change something. */
  methods?: string[]
  path?: string
  body?: unknown
  headers?: Record<string, string>
}

/** Resources for the rows to use, owned by a member who is none of the callers. */
export interface Things {
  upload(): Promise<string>
  notification(): Promise<number>
  conversation(): Promise<number>
  pushDevice(): Promise<number>
}

export const unknownId = '999999999'

/** The base point of P-256, as a browser's key. */
export const pointOfCurve = 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU'

/** One row for every route. A route without a row fails the access test. */
export const table: Row[] = [
  anyone('GET /healthz', 200),
  // Protected by its own token, if one is configured.
  anyone('GET /metrics', 404),
  anyone('GET /auth/settings', 200),
  anyone('GET /auth/google', 302),
  anyone('GET /auth/google/callback', 302),
  // Without the cookie of the sign-in nothing is confirmed, whatever the token.
  anyone('POST /auth/google/confirm', 403),
  // Without the cookie of a request for access.
  anyone('GET /auth/request', 404),
  // Without the token of an invitation.
  anyone('POST /auth/invitation', 404),
  anyone('GET /api/docs', 301),
  anyone('GET /api/docs/*', 200, { path: '/api/docs/openapi.json' }),
  anyone('GET /api/docs/*', 404),
  anyone('GET /manifest.webmanifest', 200),
  // It stores nothing and only leads to the gallery.
  anyone('POST /share-target', 303),
  // These need a signed URL; a session does not give access.
  anyone('GET /files/*', 403),
  anyone('GET /zip', 403),
  anyone('GET /export', 403),
  // It takes app passwords by Basic authentication alone, over https. What those open is tested with the feature.
  anyone('ANY /dav', 403),
  anyone('ANY /dav/*', 403, { path: '/dav/Inbox/' }),

  viewers('GET /auth/me', 200),
  viewers('POST /auth/logout', 204),
  viewers('GET /api/users', 200),
  viewers('GET /api/people', 200),
  viewers('GET /api/users/:id', 404),
  viewers('GET /api/users/:id/notes', 200),
  viewers('GET /api/users/:id/album-comments', 200),
  viewers('GET /api/me/sessions', 200),
  viewers('DELETE /api/me/sessions/:session', 404, { path: `/api/me/sessions/${'a'.repeat(32)}` }),
  viewers('POST /api/me/sessions/end-all', 204),
  viewers('GET /api/me/app-passwords', 200),
  viewers('POST /api/me/app-passwords', 201, { body: { name: 'Phone', scope: 'read' } }),
  viewers('DELETE /api/me/app-passwords/:id', 404),
  // The username is another one.
  viewers('POST /api/me/close', 422, { body: { username: 'nobody', keep_name: true } }),
  viewers('GET /api/me/settings', 200),
  viewers('PATCH /api/me/settings', 200, { body: { start_sort: 'name' } }),
  viewers('PUT /api/me/picture', 415, { body: { image: 'aGVsbG8=' } }),
  viewers('DELETE /api/me/picture', 204),

  admins('GET /api/admin/stats', 200),
  admins('POST /api/admin/pending-users/:id/approve', 404),
  admins('POST /api/admin/pending-users/:id/deny', 404),
  admins('POST /api/admin/pending-users/:id/revoke', 404),
  admins('POST /api/admin/pending-users/:id/reapprove', 404),
  admins('GET /api/admin/emergency-sheet', 200),
  admins('GET /api/admin/invitations', 200),
  admins('POST /api/admin/invitations', 201, { body: { email: null, role: 'viewer', auto_approve: false } }),
  admins('POST /api/admin/invitations/:id/show', 404),
  admins('POST /api/admin/invitations/:id/end', 404),
  admins('PUT /api/admin/users/:id/role', 404, { body: { role: 'viewer' } }),
  admins('POST /api/admin/users/:id/hand-over', 404, { body: { email: 'nobody@okafor.example' } }),

  viewers('GET /api/media', 200),
  viewers('GET /api/media/stats', 200),
  viewers('GET /api/media/timeline', 200),
  viewers('GET /api/media/grid', 200),
  viewers('GET /api/media/suggestions', 200),
  viewers('GET /api/start', 200),
  viewers('GET /api/media/ids', 200),
  viewers('GET /api/media/:id', 404),
  viewers('GET /api/media/:id/position', 404),
  viewers('GET /api/media/:id/file', 404),
  viewers('POST /api/media/:id/compatible', 404),
  viewers('GET /api/media/:id/thumbnail', 404),
  members('POST /api/media/check-duplicate', 200, { body: { hash: 'a'.repeat(64) } }),
  members('PATCH /api/media/:id/rename', 404, { body: { newName: 'beach.jpg' } }),
  members('PATCH /api/media/:id/caption', 404, { body: { caption: 'At the lake' } }),
  members('PATCH /api/media/:id/rotation', 404, { body: { rotation: 90 } }),
  // Files that are gone are ignored.
  members('POST /api/media/dates', 200, {
    body: { fileIds: [Number(unknownId)], change: { kind: 'set', edtf: '1974' } },
  }),
  members('POST /api/media/dates/preview', 200, {
    body: { fileIds: [Number(unknownId)], change: { kind: 'shift', minutes: 60 } },
  }),
  members('GET /api/changes', 200),
  members('POST /api/changes/:id/undo', 404),
  members('PATCH /api/media/:id/hash', 404, { body: { hash: 'a'.repeat(64) } }),
  members('DELETE /api/media/:id', 404),
  viewers('GET /api/media/deleted', 200),
  viewers('GET /api/media/deleted/ids', 200),
  viewers('POST /api/media/restore', 404, { body: { fileIds: [Number(unknownId)] } }),
  members('POST /api/media/upload', 400),
  viewers('GET /api/exports', 200),
  viewers('POST /api/exports', 404, { body: { fileIds: [Number(unknownId)], part_bytes: 1e9 } }),
  viewers('POST /api/exports/:id/link', 404),
  viewers('DELETE /api/exports/:id', 404),
  viewers('POST /api/media/zip', 404, { body: { fileIds: [Number(unknownId)] } }),
  members('ANY /api/uploads', 412),
  {
    ...members('ANY /api/uploads/*', 404),
    anothers: async things => ({ path: await things.upload(), headers: { 'tus-resumable': '1.0.0' } }),
  },

  viewers('GET /api/folders', 200),
  viewers('GET /api/folders/:id/subfolders', 404),
  members('POST /api/folders', 404, { body: { name: 'Lake', parent_id: Number(unknownId) } }),
  members('PUT /api/folders/:id', 404, { body: { name: 'Summer' } }),
  members('DELETE /api/folders/:id', 404),
  members('POST /api/folders/bulk-delete', 200, { body: { fileIds: [Number(unknownId)] } }),
  members('POST /api/folders/move-files', 200, { body: { fileIds: [Number(unknownId)], folderId: null } }),

  viewers('GET /api/albums', 200),
  members('POST /api/albums', 201, { body: { title: 'Summer' } }),
  viewers('GET /api/albums/:id', 404),
  members('PATCH /api/albums/:id', 404, { body: { title: 'Summer' } }),
  members('DELETE /api/albums/:id', 404),
  members('POST /api/albums/:id/restore', 404),
  members('POST /api/albums/:id/files', 404, { body: { fileIds: [Number(unknownId)] } }),
  members('POST /api/albums/:id/remove-files', 404, { body: { fileIds: [Number(unknownId)] } }),
  members('POST /api/albums/:id/restore-files', 404, { body: { fileIds: [Number(unknownId)] } }),
  members('POST /api/albums/:id/reorder', 404, { body: { fileIds: [Number(unknownId)], before: null } }),
  viewers('GET /api/media/:id/albums', 404),
  viewers('GET /api/albums/:id/comments', 404),
  viewers('POST /api/albums/:id/comments', 404, { body: { content: 'Hello' } }),
  viewers('PUT /api/albums/comments/:id', 404, { body: { content: 'Hello' } }),
  viewers('DELETE /api/albums/comments/:id', 404),
  viewers('POST /api/albums/comments/:id/restore', 404),

  viewers('GET /api/map/clusters', 200, { path: '/api/map/clusters?bounds=-10,35,5,45&zoom=4' }),
  viewers('GET /api/map/extent', 200),
  viewers('GET /api/places', 200),
  viewers('GET /api/places/search', 200, { path: '/api/places/search?name=lisb' }),
  members('POST /api/media/places', 200, { body: { fileIds: [Number(unknownId)], place: null } }),
  viewers('GET /api/map/towns', 200, { path: '/api/map/towns?bounds=-10,35,5,45' }),

  viewers('GET /api/tags', 200),
  viewers('GET /api/tags/media/:id', 404),
  members('POST /api/tags/media/:id', 404, { body: { tagName: 'summer' } }),
  members('POST /api/tags/media', 200, { body: { fileIds: [Number(unknownId)], tagName: 'summer' } }),
  members('POST /api/tags/media/remove', 200, { body: { fileIds: [Number(unknownId)], tagId: 1 } }),
  members('DELETE /api/tags/media/:id/:tagId', 404, { path: `/api/tags/media/${unknownId}/1` }),
  viewers('GET /api/memories', 200, { path: '/api/memories?today=2026-11-17' }),
  viewers('GET /api/memories/top', 200, { path: '/api/memories/top?today=2026-11-17' }),
  viewers('GET /api/memories/cards/:card/files', 200, { path: '/api/memories/cards/memory:2019-11-17/files' }),
  viewers('PUT /api/memories/cards/:card/put-away', 204, {
    path: '/api/memories/cards/guests/put-away',
    body: { until: '2026-11-17T10:00:00Z' },
  }),
  viewers('DELETE /api/memories/cards/:card/put-away', 204, { path: '/api/memories/cards/guests/put-away' }),
  viewers('GET /api/memories/hidden', 200),
  viewers('PUT /api/memories/hidden/days/:date', 204, { path: '/api/memories/hidden/days/2019-11-17' }),
  viewers('DELETE /api/memories/hidden/days/:date', 204, { path: '/api/memories/hidden/days/2019-11-17' }),
  viewers('PUT /api/memories/hidden/media/:id', 404),
  viewers('DELETE /api/memories/hidden/media/:id', 204),
  viewers('POST /api/me/visit', 200),
  viewers('GET /api/hearts', 200, { path: `/api/hearts?ids=${unknownId}` }),
  viewers('PUT /api/hearts/media/:id', 404),
  viewers('DELETE /api/hearts/media/:id', 404),
  viewers('POST /api/hearts/media', 200, { body: { fileIds: [Number(unknownId)] } }),
  viewers('POST /api/hearts/media/remove', 200, { body: { fileIds: [Number(unknownId)] } }),
  viewers('GET /api/notes/media/:id', 404),
  viewers('POST /api/notes/media/:id', 404, { body: { content: 'Hello' } }),
  viewers('PUT /api/notes/:id', 404, { body: { content: 'Hello' } }),
  viewers('DELETE /api/notes/:id', 404),
  viewers('POST /api/notes/:id/restore', 404),

  viewers('GET /api/links', 200),
  members('POST /api/links/quick', 404, { body: { fileId: Number(unknownId) } }),
  members('POST /api/links/:id/show', 404),
  members('POST /api/links/:id/copy', 404),
  members('POST /api/links', 404, { body: { fileIds: [Number(unknownId)] } }),
  members('POST /api/links/albums/:id', 404, { body: {} }),
  members('POST /api/links/albums/:id/uploads', 404, { body: {} }),
  viewers('PATCH /api/links/:id', 404, { body: { ended: true } }),
  members('GET /api/guest-uploads', 200),
  members('GET /api/guest-uploads/waiting', 200),
  members('POST /api/guest-uploads/accept', 200, { body: { ids: [Number(unknownId)] } }),
  members('POST /api/guest-uploads/reject', 200, { body: { ids: [Number(unknownId)] } }),
  members('POST /api/guest-uploads/reconsider', 200, { body: { ids: [Number(unknownId)] } }),
  // These need the secret of a link, or the cookie of a browser that opened it; a session does not give access.
  anyone('POST /shared/:id/open', 404, { body: { token: 'q'.repeat(43) } }),
  anyone('GET /shared/:id/files', 403),
  anyone('GET /shared/:id/files/:file/:size', 403, { path: `/shared/${unknownId}/files/1/thumbnail` }),
  anyone('GET /shared/:id/zip', 403),
  anyone('PUT /shared/:id/guest', 403, { body: { name: 'Tom' } }),
  anyone('GET /shared/:id/uploads', 403),
  anyone('POST /shared/:id/uploads', 403, { body: { uploadId: 'x', originalName: 'a.jpg' } }),
  anyone('GET /shared/:id/uploads/:upload/thumbnail', 403, { path: `/shared/${unknownId}/uploads/1/thumbnail` }),
  anyone('ANY /shared/:id/tus', 403),
  anyone('ANY /shared/:id/tus/*', 403),

  viewers('GET /api/notifications', 200),
  viewers('GET /api/notifications/unread-count', 200),
  anothers(viewers('PATCH /api/notifications/:id/read', 404), 'notification'),
  viewers('PATCH /api/notifications/read-all', 204),
  anothers(viewers('DELETE /api/notifications/:id', 404), 'notification'),

  viewers('GET /api/events', 200),

  viewers('GET /api/conversations', 200),
  anothers(viewers('GET /api/conversations/:id', 404), 'conversation'),
  viewers('POST /api/conversations/direct', 404, { body: { otherUserId: Number(unknownId) } }),
  viewers('POST /api/conversations/group', 404, {
    body: { title: 'Aunts', participantIds: [Number(unknownId), 1, 2] },
  }),
  anothers(viewers('PATCH /api/conversations/:id', 404, { body: { title: 'Aunts' } }), 'conversation'),
  anothers(viewers('POST /api/conversations/:id/participants', 404, { body: { participantIds: [1] } }), 'conversation'),
  anothers(viewers('POST /api/conversations/:id/leave', 404), 'conversation'),
  anothers(viewers('PATCH /api/conversations/:id/read', 404), 'conversation'),
  anothers(viewers('POST /api/conversations/:id/typing', 404), 'conversation'),
  anothers(viewers('GET /api/messages/:id', 404), 'conversation'),
  anothers(viewers('POST /api/messages/:id', 404, { body: { content: 'Hello' } }), 'conversation'),

  viewers('GET /api/me/mail', 200),
  // No mail server is configured.
  viewers('PUT /api/me/mail', 409, { body: { digest: 'weekly' } }),
  viewers('POST /api/me/mail/try', 409),
  admins('GET /api/admin/mail', 200),
  admins('GET /api/admin/source-folders', 200),
  // No folder is watched.
  admins('POST /api/admin/source-folders/scan', 409, { body: {} }),
  admins('POST /api/admin/invitations/:id/mail', 409, { body: { language: 'en' } }),
  // Without the token of a mail, which alone decides.
  anyone('GET /mail/unsubscribe', 200),
  anyone('POST /mail/unsubscribe', 404),

  viewers('GET /api/me/push', 200),
  viewers('PUT /api/me/push', 404, {
    body: {
      endpoint: 'https://push.example/device',
      p256dh: pointOfCurve,
      auth: 'A'.repeat(22),
      language: 'en',
      time_zone: 'UTC',
    },
  }),
  viewers('PATCH /api/me/push', 404, { body: { previews: true } }),
  anothers(viewers('DELETE /api/me/push/:id', 404), 'pushDevice'),
  // Without the token of a device, which alone decides.
  anyone('POST /api/push/renew', 404, {
    body: {
      endpoint: 'https://push.example/device',
      p256dh: `B${'A'.repeat(86)}`,
      auth: 'A'.repeat(22),
      renewal: '1.x',
    },
  }),

  admins('GET /api/admin/failed-files', 200),
  admins('POST /api/admin/failed-files/:id/retry', 404),
  admins('POST /api/admin/failed-files/retry', 200),
  admins('GET /api/admin/overview', 200),
  admins('GET /api/admin/health', 200),
  admins('GET /api/admin/activity/:id/files', 200),
  admins('GET /api/admin/activity', 200),
]

/**
 * What a guest of an album's link with a password gets: opening it, what it shows (the list, a picture, the ZIP), and a
 * picture of another album.
 */
export const guestTable = [
  { guest: 'with the address and the password', password: 'blue boat', open: 200, shown: 200, other: 404 },
  { guest: 'without the password', password: undefined, open: 200, shown: 403, other: 403 },
  { guest: 'with the wrong password', password: 'red boat', open: 403, shown: 403, other: 403 },
  { guest: 'who opened the link of the other album', password: 'blue boat', open: 404, shown: 403, other: 403 },
  { guest: 'who opened it before it expired', password: 'blue boat', open: 404, shown: 404, other: 404 },
  { guest: 'who opened it before it was ended', password: 'blue boat', open: 404, shown: 404, other: 404 },
] as const

/**
 * What the browser of a guest gets of an upload link with a password: saying a name, beginning an upload, what a certain
 * guest has sent (its picture) and is sending (resumable), and what other links show.
 */
export const senderTable = [
  { guest: 'who sent it', name: 200, begin: 201, sent: 200, shown: 404 },
  { guest: 'of the same link', name: 200, begin: 201, sent: 404, shown: 404 },
  { guest: 'without a name', name: 200, begin: 403, sent: 403, shown: 404 },
  { guest: 'without the password', name: 403, begin: 403, sent: 403, shown: 403 },
  { guest: 'with the wrong password', name: 403, begin: 403, sent: 403, shown: 403 },
  { guest: 'with the cookies of another upload link', name: 403, begin: 403, sent: 403, shown: 403 },
  { guest: 'with the cookie of a link that shows the album', name: 403, begin: 403, sent: 403, shown: 403 },
  { guest: 'who sent it before the link expired', name: 404, begin: 404, sent: 404, shown: 404 },
  { guest: 'who sent it before the link was ended', name: 404, begin: 404, sent: 404, shown: 404 },
] as const

/** Routes without a row, except the built web files: they are public, and their names change with each build. */
export function routesWithoutRow(routes: readonly string[]): string[] {
  const known = new Set(table.map(({ route }) => route))
  return routes.filter(route => !known.has(route) && !isWebFile(route))
}

/** Rows without a route. */
export function rowsWithoutRoute(routes: readonly string[]): string[] {
  return table.map(({ route }) => route).filter(route => !routes.includes(route))
}

export function isWebFile(route: string): boolean {
  const [method, path] = route.split(' ')
  return method === 'GET' && existsSync(fileURLToPath(new URL(`../../web/dist${path}`, import.meta.url)))
}

/** The same call on an existing resource of another person. */
function anothers(row: Row, thing: 'notification' | 'conversation' | 'pushDevice'): Row {
  const [, path = ''] = row.route.split(' ')
  const about = async (things: Things) => path.replace(':id', String(await things[thing]()))
  return { ...row, anothers: async things => ({ ...row.send, path: await about(things) }) }
}

function anyone(route: string, status: number, send?: Sent): Row {
  return row(route, send, status, { viewer: status, member: status, admin: status })
}

function viewers(route: string, status: number, send?: Sent): Row {
  return row(route, send, 401, { viewer: status, member: status, admin: status })
}

function members(route: string, status: number, send?: Sent): Row {
  return row(route, send, 401, { viewer: 403, member: status, admin: status })
}

function admins(route: string, status: number, send?: Sent): Row {
  return row(route, send, 401, { viewer: 403, member: 403, admin: status })
}

/** An app password gets what its person gets, by the calls of its scope alone. */
function row(route: string, send: Sent | undefined, outsider: number, ofRole: Record<Role, number>): Row {
  const [method = '', path = ''] = route.split(' ')
  const needsSession = outsider === 401
  const entries = [
    ...outsiders.map(caller => [caller, outsider]),
    ...roles.map(role => [role, ofRole[role]]),
    ...appPasswords.map(({ name, role, scope }) => [
      name,
      needsSession && !isInScope(scope, method, path) ? 403 : ofRole[role],
    ]),
  ]
  return { route, expected: Object.fromEntries(entries), ...(send ? { send } : {}) }
}
