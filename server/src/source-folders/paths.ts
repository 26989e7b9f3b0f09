import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathBelow, type RootFolder, rootFolder, type SafePath, safeName } from '../kit/safe-path.ts'
import { isMissing } from '../storage/local/disk-errors.ts'

/** A configured folder with all links resolved; undefined if it is not there now, as when its disk is not mounted. */
export async function openRoot(folder: string): Promise<RootFolder | undefined> {
  try {
    const path = await realpath(folder)
    return (await stat(path)).isDirectory() ? rootFolder(path) : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Longer ones do not fit into an index of Postgres. */
const MAX_NAME_BYTES = 1000

/** Undefined for names that our programs cannot be given: control characters, backslashes, no valid UTF-8. */
export function pathOfName(root: RootFolder, name: string): SafePath | undefined {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES || name.includes('\uFFFD')) return undefined
  try {
    return pathBelow(root, safeName(name))
  } catch {
    // It says what is wrong with the name, which nobody can change here.
    return undefined
  }
}

/** What changes when somebody writes to one of these files or replaces it; undefined if one is gone, or behind a link. */
export async function fingerprintOf(paths: readonly string[]): Promise<string | undefined> {
  const parts: string[] = []
  try {
    for (const path of paths) {
      if ((await realpath(dirname(path))) !== dirname(path)) return undefined
      const { size, mtimeMs, ino, dev } = await lstat(path)
      parts.push([size, mtimeMs, ino, dev].join(':'))
    }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  return parts.join(' ')
}
