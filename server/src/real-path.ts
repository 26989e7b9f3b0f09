import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { systemCode } from './storage/local/disk-errors.ts'

/** Whether a path equals a folder or is inside it. Both must be results of `realPath`. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Resolves symbolic links in the part of the path that exists. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    return join(await realPath(dirname(path)), relative(dirname(path), path))
  }
}
