import type { QueryKey } from '@tanstack/react-query'
import { listActivity, listDeleted, listTroubled } from '#contract/admin.ts'
import { getConversation, listConversations, listMessages } from '#contract/chat.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { listFolders } from '#contract/folders.ts'
import type { LiveEvent } from '#contract/live.ts'
import { getMedia, listMedia, mediaIds, mediaPosition, timeline } from '#contract/media.ts'
import { notesOfFile } from '#contract/notes.ts'
import { listNotifications, unreadCount } from '#contract/notifications.ts'
import { adminStats, listPeople } from '#contract/people.ts'
import { listTags, tagsOfFile } from '#contract/tags.ts'
import { keyOf } from '../kit/queries.ts'

const lists = [listMedia, timeline, mediaPosition, mediaIds]

/** Which answers an event makes old: the keys under which they are kept, or their beginnings. */
export function changedBy(event: LiveEvent): QueryKey[] {
  switch (event.kind) {
    case 'media':
      return [...all(...lists, listFolders, listDeleted, listTroubled, listActivity), ...files(event.ids)]
    case 'folders':
      return all(listFolders, ...lists)
    case 'tags':
      // A search looks in tags and notes too.
      return [
        event.media_id === null ? keyOf(tagsOfFile) : about(tagsOfFile, event.media_id),
        ...all(listTags, ...lists),
      ]
    case 'notes':
      return [about(notesOfFile, event.media_id), ...all(...lists)]
    case 'notifications':
      return all(unreadCount, listNotifications)
    case 'conversations':
      return [...all(listConversations), about(getConversation, event.id)]
    case 'messages':
      return [about(listMessages, event.conversation_id), ...all(listConversations)]
    case 'people':
      return all(listPeople, adminStats, listConversations)
    case 'typing':
    case 'beat':
      return []
    case 'resync':
      return [everything]
  }
}

const everything: QueryKey = []

function all(...endpoints: Endpoint[]): QueryKey[] {
  return endpoints.map(keyOf)
}

function about(endpoint: Endpoint, id: number): QueryKey {
  return [...keyOf(endpoint), { params: { id } }]
}

function files(ids: readonly number[]): QueryKey[] {
  return ids.length === 0 ? all(getMedia) : ids.map(id => about(getMedia, id))
}
