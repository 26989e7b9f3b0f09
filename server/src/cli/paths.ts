import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import type { Config } from '../config.ts'
import { systemCode } from '../storage/local/disk-errors.ts'
import { CommandError } from './command.ts'

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

/** A copy inside the library would be lost with it, and a library inside its copy would copy itself. */
export async function outsideLibrary(
  wanted: string,
  config: Pick<Config, 'dataFolder'>,
  copy: 'backup' | 'export',
): Promise<string> {
  const [folder, dataFolder] = await Promise.all([realPath(wanted), realPath(config.dataFolder)])
  if (isWithin(folder, dataFolder) || isWithin(dataFolder, folder)) {
    throw new CommandError(
      `Please keep the ${copy} away from the library itself (${dataFolder}), best on another disk.`,
    )
  }
  return folder
}
