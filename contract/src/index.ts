import * as admin from './admin.ts'
import * as albums from './albums.ts'
import * as appPasswords from './app-passwords.ts'
import * as auth from './auth.ts'
import * as changes from './changes.ts'
import * as chat from './chat.ts'
import * as dates from './dates.ts'
import type { Endpoint } from './endpoint.ts'
import * as exports from './exports.ts'
import * as family from './family.ts'
import * as folders from './folders.ts'
import * as grid from './grid.ts'
import * as guestUploads from './guest-uploads.ts'
import * as health from './health.ts'
import * as hearts from './hearts.ts'
import * as invitations from './invitations.ts'
import * as links from './links.ts'
import * as live from './live.ts'
import * as mail from './mail.ts'
import * as media from './media.ts'
import * as mediaList from './media-list.ts'
import * as memories from './memories.ts'
import * as notes from './notes.ts'
import * as notifications from './notifications.ts'
import * as people from './people.ts'
import * as places from './places.ts'
import * as push from './push.ts'
import * as sessions from './sessions.ts'
import * as settings from './settings.ts'
import * as sourceFolders from './source-folders.ts'
import * as start from './start.ts'
import * as tags from './tags.ts'
import * as trash from './trash.ts'
import * as upload from './upload.ts'

/** Every endpoint: the API page lists them, and the access test calls each. */
export const endpoints: readonly Endpoint[] = [
  auth,
  people,
  family,
  sessions,
  appPasswords,
  settings,
  invitations,
  media,
  mediaList,
  changes,
  dates,
  grid,
  start,
  trash,
  upload,
  exports,
  folders,
  albums,
  places,
  tags,
  hearts,
  memories,
  links,
  guestUploads,
  notes,
  notifications,
  chat,
  live,
  mail,
  push,
  admin,
  sourceFolders,
  health,
].flatMap(module => Object.values(module).filter(isEndpoint))

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'answer' in value
}
