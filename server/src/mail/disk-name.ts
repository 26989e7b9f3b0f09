import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'

/**
 * Names the disk of a data folder, for servers that have disks of their own. By this file in the folder, because a container
 * has another host name after each start.
 */
export async function diskNameOf(file: string): Promise<string> {
  try {
    return `disk:${await readOrCreate(file)}`
  } catch {
    // It cannot be written, as on a disk without any room.
    return `disk:${hostname()}`
  }
}

async function readOrCreate(file: string): Promise<string> {
  const found = await readFile(file, 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (found !== undefined) return found
  // Renamed, so that no other server reads a part of it.
  const [id, written] = [randomUUID(), `${file}.${randomUUID()}`]
  await writeFile(written, id, { flag: 'wx', mode: 0o600 })
  await rename(written, file)
  return id
}
