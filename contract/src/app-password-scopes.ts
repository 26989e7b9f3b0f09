import { albumCommentsByPerson, albumsOfFile, getAlbum, listAlbumComments, listAlbums } from './albums.ts'
import type { AppPasswordScope } from './app-passwords.ts'
import { whoAmI } from './auth.ts'
import type { Endpoint } from './endpoint.ts'
import { listFamily } from './family.ts'
import { listFolders, listSubfolders } from './folders.ts'
import { mediaGrid } from './grid.ts'
import { listHearts } from './hearts.ts'
import { checkDuplicate, getMedia, mediaFilePath, mediaThumbnailPath, requestZip } from './media.ts'
import { listMedia, mediaIds, mediaPosition, mediaStats, mediaSuggestions, timeline } from './media-list.ts'
import { memories } from './memories.ts'
import { notesByPerson, notesOfFile } from './notes.ts'
import { getPerson, listPeople } from './people.ts'
import { listPlaces, mapClusters, mapExtent, mapTowns, searchPlaces } from './places.ts'
import { listTags, tagsOfFile } from './tags.ts'
import { resumableUploadsPath, uploadMedia } from './upload.ts'

type Route = Pick<Endpoint, 'path'> & { method: Endpoint['method'] | 'ANY' }

const files: Route[] = [
  { method: 'GET', path: mediaFilePath },
  { method: 'GET', path: mediaThumbnailPath },
]

/**
 * Every call that an app password of each scope may make, and no other one: never chat, notifications, admin, settings, links,
 * changes, deletions or further app passwords. The role of its person limits it too: a viewer uploads nothing.
 */
export const appPasswordScopes: Readonly<Record<AppPasswordScope, readonly Route[]>> = {
  read: [
    whoAmI,
    ...files,
    ...[listMedia, mediaGrid, mediaIds, mediaPosition, mediaStats, mediaSuggestions, timeline, getMedia],
    // It changes nothing: POST because of the length of the list.
    requestZip,
    ...[listFolders, listSubfolders],
    ...[listAlbums, getAlbum, albumsOfFile, listAlbumComments, albumCommentsByPerson],
    ...[listPlaces, searchPlaces, mapClusters, mapExtent, mapTowns],
    ...[listTags, tagsOfFile, listHearts, notesOfFile, notesByPerson, memories],
    ...[listPeople, getPerson, listFamily],
  ],
  upload: [
    whoAmI,
    checkDuplicate,
    uploadMedia,
    { method: 'ANY', path: resumableUploadsPath },
    { method: 'ANY', path: `${resumableUploadsPath}/*` },
    listFolders,
    // Of the files that its person has uploaded, and no others.
    ...[listMedia, getMedia, ...files],
  ],
}

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

const allowed = new Map(Object.entries(appPasswordScopes).map(([scope, routes]) => [scope, new Set(routes.map(keyOf))]))

/** Whether a scope has the call of this method and route, as in `GET` and `/api/media/:id`. */
export function isInScope(scope: AppPasswordScope, method: string, path: string): boolean {
  const routes = allowed.get(scope)
  // HEAD is implied by GET.
  const methods = [method === 'HEAD' ? 'GET' : method, 'ANY']
  return methods.some(one => routes?.has(keyOf({ method: one, path })))
}
