import type { Handle } from '../db/schema.ts'

/** What a server says of a folder, as JSON. `server` is empty for what only one of them does at a time. */
export interface FolderReport {
  folder: string
  server: string
  report: string
  reported_at: number
}

export async function upsertReport(handle: Handle, row: FolderReport): Promise<void> {
  const { report, reported_at } = row
  await handle
    .insertInto('folder_reports')
    .values(row)
    .onConflict(conflict => conflict.columns(['folder', 'server']).doUpdateSet({ report, reported_at }))
    .execute()
}

export async function findReport(handle: Handle, folder: string, server = ''): Promise<FolderReport | undefined> {
  return handle
    .selectFrom('folder_reports')
    .selectAll()
    .where('folder', '=', folder)
    .where('server', '=', server)
    .executeTakeFirst()
}

/** What each server says of a folder, if it is recent. */
export async function mountReports(handle: Handle, folder: string, since: number): Promise<FolderReport[]> {
  return handle
    .selectFrom('folder_reports')
    .selectAll()
    .where('folder', '=', folder)
    .where('server', '<>', '')
    .where('reported_at', '>=', since)
    .orderBy('server')
    .execute()
}

export async function deleteReportsBefore(handle: Handle, time: number): Promise<void> {
  await handle.deleteFrom('folder_reports').where('server', '<>', '').where('reported_at', '<', time).execute()
}
