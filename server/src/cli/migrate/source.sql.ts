import { quoted, type Snapshot } from '../../db/snapshot.sql.ts'
import { tablesOf } from '../backup/database-dump.ts'
import { CommandError } from '../command.ts'

export async function countRows(snapshot: Snapshot): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of await tablesOf(snapshot)) {
    for await (const rows of snapshot.read(`select count(*) from ${quoted(name)}`)) counts[name] = Number(rows[0]?.[0])
  }
  return counts
}

/** Number and total size of the files of `filesOf`; files of unknown size count as 0 bytes. */
export async function measureFiles(snapshot: Snapshot): Promise<{ files: number; bytes: number }> {
  const total = { files: 0, bytes: 0 }
  for (const query of [
    'select count(*), 0 from people where avatar_key is not null',
    'select count(*), coalesce(sum(size), 0) from media_parts',
  ]) {
    for await (const rows of snapshot.read(query)) {
      total.files += Number(rows[0]?.[0])
      total.bytes += Number(rows[0]?.[1])
    }
  }
  return total
}

/** Servers that share a database lock no folder, but a running server holds leases on its jobs. */
export async function refuseWhileAtWork(snapshot: Snapshot, now: number): Promise<void> {
  for await (const rows of snapshot.read(`select name from jobs where lease_expires_at > ${now} limit 1`)) {
    if (rows.length === 0) return
    throw new CommandError('A server is at work on this library. Stop every server, wait a minute, and run this again.')
  }
}
