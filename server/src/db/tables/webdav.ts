import type { Generated } from 'kysely'

export interface WebdavTables {
  inbox_entries: InboxEntriesTable
  webdav_locks: WebdavLocksTable
}

/** A file that a device has sent, or a folder of such files, in the inbox of a person. */
interface InboxEntriesTable {
  id: Generated<number>
  person_id: number
  /** The path of its folder in the inbox: names joined by `/`; empty for the inbox itself. */
  parent: string
  name: string
  is_folder: number
  /** Null for folders, for files without content, and once the file is removed for good: clients must not send it again. */
  media_id: number | null
  size: number
  hash: string | null
  modified_at: number
  created_at: number
}

interface WebdavLocksTable {
  token: string
  person_id: number
  /** Of the inbox, without a slash at its beginning. */
  path: string
  /** XML that the client has sent to describe itself, as text. */
  owner: string
  expires_at: number
}
