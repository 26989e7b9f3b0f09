import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
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
  // Empty: there was no room for it. Of two servers that begin at once, the first one's name stays.
  if (found) return found
  await writeFile(file, randomUUID(), { flag: found === undefined ? 'wx' : 'w', mode: 0o600 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  return readFile(file, 'utf8')
}
