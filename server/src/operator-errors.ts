import { ConfigError } from './config.ts'
import { UnsupportedSchema } from './db/migrate.ts'
import { FolderInUse } from './db/sqlite/folder-lock.ts'
import { SnapshotFailed } from './db/sqlite/snapshot-before-migration.ts'
import { SandboxUnavailable } from './processing/sandbox/open-sandbox.ts'
import { DatabaseDamaged, DatabaseLost } from './refuse-lost-database.ts'
import { StoreUnusable } from './storage/s3/store-unusable.ts'

const kinds = [
  ConfigError,
  FolderInUse,
  UnsupportedSchema,
  DatabaseLost,
  DatabaseDamaged,
  SnapshotFailed,
  StoreUnusable,
  SandboxUnavailable,
]

/** Whether the operator can fix it: its message says what to do, and a stack trace would only distract. */
export function isOperatorError(error: unknown): error is Error {
  return kinds.some(kind => error instanceof kind)
}
