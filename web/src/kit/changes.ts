import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { libraryHealth, libraryOverview, listActivity, listFailedFiles } from '#contract/admin.ts'
import {
  type Album,
  albumCommentsByPerson,
  albumsOfFile,
  getAlbum,
  listAlbumComments,
  listAlbums,
} from '#contract/albums.ts'
import { listAppPasswords } from '#contract/app-passwords.ts'
import { whoAmI } from '#contract/auth.ts'
import { lastChanges } from '#contract/changes.ts'
import { getConversation, listConversations, listMessages } from '#contract/chat.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { listFamily } from '#contract/family.ts'
import { listFolders, listSubfolders } from '#contract/folders.ts'
import { mediaGrid } from '#contract/grid.ts'
import { listGuestUploads, waitingGuestUploads } from '#contract/guest-uploads.ts'
import { listHearts } from '#contract/hearts.ts'
import { listInvitations } from '#contract/invitations.ts'
import { listLinks } from '#contract/links.ts'
import type { LiveEvent } from '#contract/live.ts'
import { getMedia } from '#contract/media.ts'
import { listMedia, mediaIds, mediaPosition, mediaStats, mediaSuggestions, timeline } from '#contract/media-list.ts'
import { galleryTop, hiddenMemories, memories } from '#contract/memories.ts'
import { notesByPerson, notesOfFile } from '#contract/notes.ts'
import { listNotifications, unreadCount } from '#contract/notifications.ts'
import { adminStats, getPerson, listPeople } from '#contract/people.ts'
import { listPlaces, mapClusters, mapExtent } from '#contract/places.ts'
import { listSessions } from '#contract/sessions.ts'
import { mySettings } from '#contract/settings.ts'
import { listTags, tagsOfFile } from '#contract/tags.ts'
import { deletedIds, listDeleted } from '#contract/trash.ts'
import { endpointKey } from './queries.ts'
import { onReachable } from './reachability.ts'

const lists = [listMedia, mediaStats, mediaGrid, timeline, mediaPosition, mediaIds, mediaSuggestions]

/** What shows where files were taken. */
const places = [mapClusters, mapExtent, listPlaces]

/** What shows the number of files and the cover of albums: a smart album finds others after most changes. */
const albums = [listAlbums, getAlbum]

/** What shows the names of people, which they may change. */
const names = [
  ...[listHearts, notesOfFile, listAlbumComments, albumsOfFile, ...albums, listLinks, listGuestUploads],
  ...[listNotifications, getConversation, listMessages, mediaSuggestions, getMedia, listDeleted],
]

/** A change on the server: reported by a live event, or made by an action of this page. */
export type Change =
  | LiveEvent
  /** A new conversation, whose id is not known yet. */
  | { kind: 'conversations'; id: null }

/**
 * Cache invalidation for the whole web app: the query keys (or key prefixes) that a change makes stale. Live events and
 * actions both use this table.
 */
export function staleAfter(client: QueryClient, change: Change): QueryKey[] {
  switch (change.kind) {
    case 'media':
      return [
        ...all(...lists, ...albums, listFolders, listSubfolders, listDeleted, deletedIds),
        ...all(
          listFailedFiles,
          libraryOverview,
          libraryHealth,
          listActivity,
          lastChanges,
          notesByPerson,
          galleryTop,
          memories,
          hiddenMemories,
          listFamily,
        ),
        ...files(change.ids),
        ...all(...places),
      ]
    case 'folders':
      return all(listFolders, listSubfolders, ...lists, ...albums, listActivity)
    case 'albums':
      return [
        ...all(listAlbums, albumsOfFile, albumCommentsByPerson, listFamily, listLinks, listActivity),
        about(getAlbum, change.id),
        ...listsWith({ album: change.id }),
      ]
    case 'album-comments':
      return [about(listAlbumComments, change.album_id), ...all(albumCommentsByPerson, listFamily, listActivity)]
    case 'tags':
      // Lists too: a search covers tags and notes.
      // Details too: they offer to undo.
      return [
        about(tagsOfFile, change.media_id),
        about(getMedia, change.media_id),
        ...all(listTags, ...lists, ...albums, listActivity, lastChanges),
      ]
    case 'hearts':
      // Only memories and lists of that person's favourites change; of all others, tiles show how many people love a file.
      return [
        ...all(listHearts, listFamily, mediaGrid, ...albums, listActivity, memories),
        ...listsWith({ hearted_by: change.person_id }),
        ...listsOfMemories(client),
        ...smartAlbumsOf(client, change.person_id).flatMap(album => listsWith({ album })),
      ]
    case 'notes':
      return [
        about(notesOfFile, change.media_id),
        ...all(notesByPerson, listFamily, ...lists, ...albums, listActivity, memories),
      ]
    case 'memories':
      return all(galleryTop, memories, hiddenMemories, ...lists)
    case 'links':
      return all(listLinks, listActivity)
    case 'guest-uploads':
      return all(listGuestUploads, waitingGuestUploads, galleryTop, listLinks, listActivity)
    case 'notifications':
      return all(unreadCount, listNotifications)
    case 'conversations':
      return [...all(listConversations), about(getConversation, change.id)]
    case 'messages':
      return [about(listMessages, change.conversation_id), ...all(listConversations)]
    case 'people':
      // The signed-in person too: an admin may have given them another role.
      return all(
        whoAmI,
        listPeople,
        listFamily,
        getPerson,
        adminStats,
        listInvitations,
        mySettings,
        listSessions,
        listAppPasswords,
        listConversations,
        listActivity,
        ...names,
      )
    case 'typing':
    case 'heartbeat':
      return []
    case 'resync':
      return [everything]
  }
}

const everything: QueryKey = []

/** Resolves when the stale queries that are on the screen have been fetched again. */
export async function invalidate(client: QueryClient, ...changes: Change[]): Promise<void> {
  const keys = new Map(changes.flatMap(change => staleAfter(client, change)).map(key => [hashKey(key), key]))
  await Promise.all([...keys.values()].map(queryKey => client.invalidateQueries({ queryKey })))
}

/** What failed to load while the server could not be reached, or has changed since, is fetched again afterwards. */
export function refetchWhenReachable(client: QueryClient): void {
  onReachable(() => void invalidate(client, { kind: 'resync' }))
}

function all(...endpoints: Endpoint[]): QueryKey[] {
  return endpoints.map(endpointKey)
}

/** Only the lists that are filtered by this. */
function listsWith(query: { hearted_by: number } | { album: number }): QueryKey[] {
  return lists.map(list => [...endpointKey(list), { query }])
}

/** Screenshots and near-duplicates are memories only as long as somebody loves them. */
function listsOfMemories(client: QueryClient): QueryKey[] {
  const loaded = lists.flatMap(list => client.getQueryCache().findAll({ queryKey: endpointKey(list) }))
  return loaded
    .map(({ queryKey }) => queryKey)
    .filter(key => (key[1] as { query?: { memory?: string } } | undefined)?.query?.memory !== undefined)
}

/** The ids of the loaded albums that are filled by the hearts of this person. */
function smartAlbumsOf(client: QueryClient, personId: number): number[] {
  const loaded = client.getQueriesData<Album>({ queryKey: endpointKey(getAlbum) })
  return loaded.flatMap(([, album]) => (album?.search?.hearted_by === personId ? album.id : []))
}

/** Null: of any id. */
function about(endpoint: Endpoint, id: number | null): QueryKey {
  return id === null ? endpointKey(endpoint) : [...endpointKey(endpoint), { params: { id } }]
}

/** Each key is compared with every cached query, so a long list of ids invalidates all files at once. */
const MAX_FILE_KEYS = 100

function files(ids: readonly number[]): QueryKey[] {
  return ids.length === 0 || ids.length > MAX_FILE_KEYS ? all(getMedia) : ids.map(id => about(getMedia, id))
}
