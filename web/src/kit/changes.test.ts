import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { listActivity } from '#contract/admin.ts'
import { getAlbum, listAlbumComments, listAlbums } from '#contract/albums.ts'
import { getConversation, listConversations, listMessages } from '#contract/chat.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { listFolders } from '#contract/folders.ts'
import { mediaGrid } from '#contract/grid.ts'
import { listHearts } from '#contract/hearts.ts'
import { listLinks } from '#contract/links.ts'
import { getMedia } from '#contract/media.ts'
import { listMedia, mediaStats, timeline } from '#contract/media-list.ts'
import { galleryTop, hiddenMemories, memories } from '#contract/memories.ts'
import { notesOfFile } from '#contract/notes.ts'
import { listNotifications, unreadCount } from '#contract/notifications.ts'
import { adminStats } from '#contract/people.ts'
import { tagsOfFile } from '#contract/tags.ts'
import { type Change, invalidate } from './changes.ts'
import { query } from './queries.ts'

/** One cached query of each kind, by a name for the tests below. */
const read = {
  files: asked(listMedia, { query: { sort: 'date', limit: 1 } }),
  stats: asked(mediaStats, { query: {} }),
  days: asked(timeline, { query: {} }),
  tiles: asked(mediaGrid, { query: {} }),
  'favourites of 3': asked(timeline, { query: { hearted_by: 3 } }),
  'favourites of 4': asked(timeline, { query: { hearted_by: 4 } }),
  'files of album 5': asked(timeline, { query: { album: 5 } }),
  'files of album 6': asked(timeline, { query: { album: 6 } }),
  'files of a memory': asked(timeline, { query: { memory: '2019-11-17' } }),
  albums: asked(listAlbums, { query: {} }),
  'album 5': asked(getAlbum, { params: { id: 5 } }),
  'album 6': asked(getAlbum, { params: { id: 6 } }),
  'comments on album 5': asked(listAlbumComments, { params: { id: 5 }, query: {} }),
  'comments on album 6': asked(listAlbumComments, { params: { id: 6 }, query: {} }),
  links: asked(listLinks, { query: {} }),
  activity: asked(listActivity, { query: {} }),
  hearts: asked(listHearts, { query: { ids: '1,2' } }),
  'file 1': asked(getMedia, { params: { id: 1 } }),
  'file 2': asked(getMedia, { params: { id: 2 } }),
  'tags of 1': asked(tagsOfFile, { params: { id: 1 } }),
  'notes on 1': asked(notesOfFile, { params: { id: 1 }, query: {} }),
  'notes on 2': asked(notesOfFile, { params: { id: 2 }, query: {} }),
  folders: asked(listFolders, {}),
  conversations: asked(listConversations, {}),
  'conversation 1': asked(getConversation, { params: { id: 1 } }),
  'messages of 1': asked(listMessages, { params: { id: 1 }, query: {} }),
  'messages of 2': asked(listMessages, { params: { id: 2 }, query: {} }),
  notifications: asked(listNotifications, { query: {} }),
  'unread count': asked(unreadCount, {}),
  requests: asked(adminStats, {}),
  memories: asked(memories, { query: { today: '2026-11-17' } }),
  'hidden memories': asked(hiddenMemories, {}),
  cards: asked(galleryTop, { query: { today: '2026-11-17' } }),
}

function asked<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  return query(endpoint, input).queryKey as readonly unknown[]
}

function staleNames(change: Change, responses: Partial<Record<keyof typeof read, unknown>> = {}): string[] {
  const client = new QueryClient()
  for (const [name, key] of Object.entries(read)) {
    client.setQueryData(key, responses[name as keyof typeof read] ?? 'read')
  }
  void invalidate(client, change)
  return Object.entries(read)
    .filter(([, key]) => client.getQueryState(key)?.isInvalidated)
    .map(([name]) => name)
}

const lists = [
  ...['files', 'stats', 'days', 'tiles', 'favourites of 3', 'favourites of 4'],
  ...['files of album 5', 'files of album 6', 'files of a memory'],
]
const albums = ['albums', 'album 5', 'album 6']
const remembered = ['memories', 'hidden memories', 'cards']

test.each<[Change, string[]]>([
  [{ kind: 'media', ids: [1] }, [...lists, ...albums, 'activity', 'file 1', 'folders', ...remembered]],
  [
    { kind: 'media', ids: Array.from({ length: 1_000 }, (_, id) => id) },
    [...lists, ...albums, 'activity', 'file 1', 'file 2', 'folders', ...remembered],
  ],
  [{ kind: 'media', ids: [] }, [...lists, ...albums, 'activity', 'file 1', 'file 2', 'folders', ...remembered]],
  [{ kind: 'folders' }, [...lists, ...albums, 'activity', 'folders']],
  [{ kind: 'albums', id: 5 }, ['files of album 5', 'albums', 'album 5', 'links', 'activity']],
  [{ kind: 'album-comments', album_id: 5 }, ['comments on album 5', 'activity']],
  [{ kind: 'tags', media_id: 1 }, [...lists, ...albums, 'activity', 'file 1', 'tags of 1']],
  [{ kind: 'tags', media_id: null }, [...lists, ...albums, 'activity', 'file 1', 'file 2', 'tags of 1']],
  [
    { kind: 'hearts', person_id: 3, ids: [1] },
    ['tiles', 'favourites of 3', 'files of a memory', ...albums, 'activity', 'hearts', 'memories'],
  ],
  [{ kind: 'notes', media_id: 1 }, [...lists, ...albums, 'activity', 'notes on 1', 'memories']],
  [{ kind: 'links' }, ['links', 'activity']],
  [{ kind: 'guest-uploads' }, ['links', 'activity', 'cards']],
  [{ kind: 'notifications' }, ['notifications', 'unread count']],
  [{ kind: 'conversations', id: 1 }, ['conversations', 'conversation 1']],
  [{ kind: 'conversations', id: null }, ['conversations', 'conversation 1']],
  [{ kind: 'messages', conversation_id: 1 }, ['conversations', 'messages of 1']],
  [
    { kind: 'people' },
    [
      ...[...albums, 'comments on album 5', 'comments on album 6', 'links', 'activity', 'hearts', 'file 1', 'file 2'],
      ...['notes on 1', 'notes on 2', 'conversations', 'conversation 1', 'messages of 1', 'messages of 2'],
      ...['notifications', 'requests'],
    ],
  ],
  [{ kind: 'typing', conversation_id: 1, person_id: 2 }, []],
  [{ kind: 'heartbeat' }, []],
  [{ kind: 'resync' }, Object.keys(read)],
])('%o makes stale what it is about and nothing else', (change, stale) => {
  expect(staleNames(change)).toEqual(stale)
})

test('hearts make stale the files of smart albums that they fill', () => {
  const responses = {
    'album 5': { id: 5, search: { hearted_by: 3 } },
    'album 6': { id: 6, search: { hearted_by: 4 } },
  }
  const stale = staleNames({ kind: 'hearts', person_id: 3, ids: [1] }, responses)
  expect(stale).toContain('files of album 5')
  expect(stale).not.toContain('files of album 6')
})
