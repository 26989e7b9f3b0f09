import type { Generated } from 'kysely'
import type { AuditAct } from '#contract/audit.ts'
import type { PartKind } from './media.ts'

/** What the server itself needs: jobs, storage, uploads in progress and limits. */
export interface ServerTables {
  audit_log: AuditLogTable
  changes: ChangesTable
  change_files: ChangeFilesTable
  settings: SettingsTable
  jobs: JobsTable
  pending_objects: PendingObjectsTable
  finished_uploads: FinishedUploadsTable
  upload_locks: UploadLocksTable
  zip_downloads: ZipDownloadsTable
  exports: ExportsTable
  export_links: ExportLinksTable
  rate_limits: RateLimitsTable
  folder_reports: FolderReportsTable
  watched_files: WatchedFilesTable
}

interface AuditLogTable {
  id: Generated<number>
  created_at: number
  /** Null for actions of the server itself. */
  actor_id: number | null
  action: string
  subject_type: string
  subject_id: number
  /** The changed values before the action, as JSON. */
  before: string | null
  /** What knows its files; null: it is about the subject alone. */
  change_id: number | null
}

/** What somebody has changed of one or many files at once. */
interface ChangesTable {
  id: Generated<number>
  kind: AuditAct
  /** Two changes of a file with the same field replace each other; null: it cannot be undone by its id. */
  field: string | null
  /** What all of its files have got, as JSON. */
  value: string | null
  /** Null for changes of the server itself. */
  person_id: number | null
  created_at: number
  files: number
  /** How many of them are videos. */
  videos: number
  /** For how many it was undone. */
  undone: Generated<number>
}

/** In the order in which they were changed. */
interface ChangeFilesTable {
  id: Generated<number>
  change_id: number
  media_id: number
  /** What the file was before, as JSON. */
  before: string | null
  undone_at: number | null
}

interface SettingsTable {
  name: string
  value: string
}

interface JobsTable {
  id: Generated<number>
  name: string
  payload: string
  /** Lower runs first. */
  priority: number
  run_at: number
  attempts: number
  /** The worker's lease on it; both null while it waits. A lease that expired may be taken by another worker. */
  lease_token: string | null
  lease_expires_at: number | null
  /** Set once all retries failed. */
  failed_at: number | null
  last_error: string | null
  /** At most one job with the same key waits at a time. */
  unique_key: string | null
  /** The person whose job it is; people are served in turn. 0 is the server itself. */
  owner_id: Generated<number>
}

/** Objects in storage that no file owns (yet): being written, or to be removed. What stays here is an orphan. */
interface PendingObjectsTable {
  key: string
  created_at: number
  purpose: 'writing' | 'removing'
}

/** Makes finishing a resumable upload idempotent: a retry gets the same file. */
interface FinishedUploadsTable {
  upload_id: string
  media_id: number
  finished_at: number
}

/** Leases: which request is writing to a resumable upload. */
interface UploadLocksTable {
  upload_id: string
  holder: string
  expires_at: number
  /** When another request asked the holder to release the lock. */
  requested_at: number | null
}

/** Files that may be downloaded as one ZIP with this token, until it expires after a few minutes. */
interface ZipDownloadsTable {
  token_hash: string
  person_id: number
  /** The download ends with this session. */
  session_hash: string | null
  /** A JSON array. */
  media_ids: string
  created_at: number
}

/** Downloads in parts, until they expire. Their bytes are below `exports/<id>/` in storage. */
interface ExportsTable {
  id: Generated<number>
  person_id: number
  title: string
  /** A JSON array; null: the whole library. */
  media_ids: string | null
  part_bytes: number
  status: 'preparing' | 'ready' | 'failed' | 'outdated'
  progress: Generated<number>
  missing: Generated<number>
  /** The sizes of the ZIPs, as a JSON array. */
  parts: string | null
  created_at: number
  expires_at: number
}

/** Tokens of addresses of an export. */
interface ExportLinksTable {
  token_hash: string
  export_id: number
  /** The download ends with this session. */
  session_hash: string
  created_at: number
}

/** Requests per key in the latest time window. */
interface RateLimitsTable {
  key: string
  time_window: number
  hits: number
}

/** What a server says of a folder that other programs write. */
interface FolderReportsTable {
  folder: string
  /** Empty for what only one server does at a time. */
  server: string
  /** JSON. */
  report: string
  reported_at: number
}

/** A file of a watched folder, by its path below it. */
interface WatchedFilesTable {
  id: Generated<number>
  root: string
  path: string
  size: number
  modified_at: number
  /** Null: neither photo nor video. */
  hash: string | null
  /** Null also if its file was deleted for good: then it stays hidden. */
  media_id: number | null
  /** Which part of the file it is. */
  part: PartKind | null
}
