import type { Snapshot, Value } from '../../db/snapshot.sql.ts'
import { folderPaths } from '../../export/library.sql.ts'
import { CommandError } from '../command.ts'

/** Which part of the library is exported: files to which all of these apply. */
export interface ExportFilter {
  /** The title of an album. */
  album?: string
  /** As in "Holidays/Cornwall", with the folders in it. */
  folder?: string
  /** A day: what was uploaded then or later. */
  since?: string
  /** The username or e-mail of who has uploaded it. */
  person?: string
}

/** In SQL, about `media`. Only ids and numbers get into it. */
export async function conditionOf(snapshot: Snapshot, { album, folder, since, person }: ExportFilter): Promise<string> {
  const conditions: string[] = []
  if (album !== undefined) {
    const [[id, search] = []] = await rowsNamed(
      snapshot,
      'select id, search, title from albums where deleted_at is null order by id',
      album,
    )
    if (id == null) throw new CommandError(`There is no album “${album}”.`)
    if (search != null) {
      throw new CommandError(
        `“${album}” fills itself by a search. Download it in the browser, or give the search’s own folder or person.`,
      )
    }
    conditions.push(`id in (select media_id from album_files where removed_at is null and album_id = ${Number(id)})`)
  }
  if (folder !== undefined) {
    const wanted = folder.replaceAll(/^\/+|\/+$/g, '')
    const paths = [...(await folderPaths(snapshot))]
    const ids = paths.filter(([, path]) => path === wanted || path.startsWith(`${wanted}/`)).map(([id]) => id)
    if (ids.length === 0) throw new CommandError(`There is no folder “${wanted}”.`)
    conditions.push(`folder_id in (${ids.map(Number).join()})`)
  }
  if (since !== undefined) {
    const at = /^\d{4}-\d\d-\d\d$/.test(since) ? Date.parse(since) : Number.NaN
    if (Number.isNaN(at)) throw new CommandError(`“${since}” is not a day. Please write it like 2024-12-31.`)
    conditions.push(`uploaded_at >= ${at}`)
  }
  if (person !== undefined) {
    const query = `select id, email, username from people order by id`
    const wanted = person.replace(/^@/, '')
    const [[id] = []] = [
      ...(await rowsNamed(snapshot, query, wanted)),
      ...(await rowsNamed(snapshot, 'select id, username, email from people order by id', wanted)),
    ]
    if (id == null) throw new CommandError(`There is nobody with the username or e-mail “${wanted}”.`)
    conditions.push(`uploaded_by = ${Number(id)}`)
  }
  return conditions.join(' and ') || 'true'
}

/** The rows whose last column is this text, whatever its case. */
async function rowsNamed(snapshot: Snapshot, query: string, name: string): Promise<Value[][]> {
  const found: Value[][] = []
  const comparable = (text: unknown) => String(text).normalize('NFC').toLowerCase()
  for await (const rows of snapshot.read(query)) {
    found.push(...rows.filter(row => comparable(row.at(-1)) === comparable(name)))
  }
  return found
}
