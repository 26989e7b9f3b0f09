import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises'
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

/** Opens an ordinary file for reading. Undefined if there is none, or if it or a folder above it has become a link. */
export async function openWithoutLinks(path: SafePath): Promise<{ handle: FileHandle; stats: Stats } | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(error => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const stats = await handle.stat()
    // After the file was opened: a folder that is exchanged for a link later no longer matters.
    if (stats.isFile() && (await isFreeOfLinks(path, stats))) return { handle, stats }
  } catch (error) {
    await handle.close()
    if (isMissing(error)) return undefined
    throw error
  }
  await handle.close()
  return undefined
}

/** Whether the path leads, without any link, to this very file. */
async function isFreeOfLinks(path: string, { ino, dev }: Stats): Promise<boolean> {
  const [folder, found] = [await realpath(dirname(path)), await lstat(path)]
  return folder === dirname(path) && found.ino === ino && found.dev === dev
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

/** Whether a file is the one that was listed. Unlike its content, size and time are known without reading it. */
export function isAsListed(
  stats: Pick<Stats, 'size' | 'mtimeMs'>,
  listed: { size: number; modified_at: number },
): boolean {
  return stats.size === listed.size && Math.floor(stats.mtimeMs) === listed.modified_at
}
