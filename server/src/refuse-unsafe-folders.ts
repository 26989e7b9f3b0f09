import { parse } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { isWithin, realPath } from './real-path.ts'

/** Throws if a folder that other programs write is part of the library, or contains it. */
export async function refuseUnsafeFolders({
  dataFolder,
  inboxFolder,
  libraryFolders,
}: Pick<Config, 'dataFolder' | 'inboxFolder' | 'libraryFolders'>): Promise<void> {
  const folders = [
    { name: 'DATA_DIR', path: await realPath(dataFolder) },
    ...(inboxFolder === undefined ? [] : [{ name: 'INBOX_DIR', path: await realPath(inboxFolder) }]),
    ...(await Promise.all(libraryFolders.map(async path => ({ name: 'LIBRARY_DIRS', path: await realPath(path) })))),
  ]
  for (const [index, { name, path }] of folders.entries()) {
    if (index === 0) continue
    if (path === parse(path).root) throw new ConfigError(`${name} is ${path}, the whole disk. Choose a folder on it.`)
    const other = folders.slice(0, index).find(({ path: of }) => isWithin(path, of) || isWithin(of, path))
    if (other) {
      throw new ConfigError(
        `${name} (${path}) and ${other.name} (${other.path}) overlap. Choose folders apart from each other.`,
      )
    }
  }
}
