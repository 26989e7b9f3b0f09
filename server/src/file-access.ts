import { chmodSync, lstatSync, statSync } from 'node:fs'
import { join, parse } from 'node:path'
import { snapshotsFolder } from './db/sqlite/snapshot-before-migration.ts'
import { linkKeyFile } from './kit/token-encryption.ts'

/** Who may read stored files, besides the account of the server: nobody, or the folder's group. */
export const fileAccessLevels = ['private', 'group'] as const
export type FileAccess = (typeof fileAccessLevels)[number]

interface Log {
  warn(sentence: string): void
}

const umasks: Record<FileAccess, number> = { private: 0o077, group: 0o027 }
const keepsModes = process.platform !== 'win32'

/** Sets the permissions of everything that this process and its children create from now on. */
export function limitNewFiles(access: FileAccess): void {
  process.umask(umasks[access])
}

/** `shared`: a group that may read the files must get here. `secret`: sessions and signing keys, never for a group. */
type Kind = 'shared' | 'ordinary' | 'secret'

/** Everything that the server creates at the top of the data folder. */
const contents: Record<string, Kind> = {
  files: 'shared',
  uploads: 'ordinary',
  scratch: 'ordinary',
  'heirloom.lock': 'ordinary',
  [snapshotsFolder]: 'secret',
  'demo-provider.json': 'secret',
  [linkKeyFile]: 'secret',
  ...Object.fromEntries(
    ['heirloom.db', 'imported.db'].flatMap(name => ['', '-wal', '-shm'].map(end => [`${name}${end}`, 'secret'])),
  ),
}

/**
 * Removes other local accounts' access to the data folder. Only the top level is changed: nobody can get below a
 * folder that they may not enter, and a library of a million files must start quickly. Never throws: a disk without
 * permissions is still usable.
 */
export function restrictDataFolder(folder: string, access: FileAccess, log: Log): void {
  const items = Object.entries(contents).map(([name, kind]) => ({ path: join(folder, name), kind }))
  restrict([{ path: folder, kind: 'shared' }, ...items], access, log)
}

/** The same for other private folders of the server. */
export function restrictFolders(folders: readonly string[], log: Log): void {
  const items = folders.map(path => ({ path, kind: 'secret' as const }))
  restrict(items, 'private', log)
}

interface Item {
  path: string
  kind: Kind
}

function restrict(items: readonly Item[], access: FileAccess, log: Log): void {
  if (!keepsModes) return
  const changed: string[] = []
  const failed: string[] = []
  for (const item of items) {
    const result = restrictOne(item, access)
    if (result?.changed) changed.push(result.changed)
    if (result?.failed) failed.push(result.failed)
  }
  if (changed.length > 0) {
    const hint = items.some(item => item.kind === 'shared') && access === 'private' ? GROUP_HINT : ''
    log.warn(`Changed the permissions of ${changed.join(', ')} to keep other accounts of this machine out${hint}.`)
  }
  if (failed.length > 0) {
    log.warn(
      `Other accounts of this machine may be able to read ${failed.join(', ')}. Please change the permissions by hand.`,
    )
  }
}

function restrictOne({ path, kind }: Item, access: FileAccess): { changed?: string; failed?: string } | undefined {
  try {
    // The data folder and its files folder may be symbolic links to another disk; other links are not ours.
    const found = kind === 'shared' ? statSync(path, statOptions) : lstatSync(path, statOptions)
    if (!found?.isDirectory() && !found?.isFile()) return
    const mode = found.mode & 0o7777
    const closed = mode & ~umasks[kind === 'secret' ? 'private' : access]
    const wanted = kind === 'shared' && access === 'group' ? closed | GROUP_READS : closed
    if (mode === wanted) return
    if (isSystemFolder(path, mode)) return { failed: `${path} (a folder that others use too)` }
    chmodSync(path, wanted)
    // Disks without permissions (exFAT, some network shares) accept the change and ignore it.
    const now = statSync(path).mode & 0o7777
    if ((now & ~wanted) !== 0) return { failed: `${path} (its disk keeps no permissions)` }
    return { changed: `${path} (${mode.toString(8)} to ${now.toString(8)})` }
  } catch (error) {
    return { failed: `${path} (${(error as NodeJS.ErrnoException).code ?? error})` }
  }
}

const GROUP_HINT = ' (FILE_ACCESS=group lets the group of the folder read the files)'
const statOptions = { throwIfNoEntry: false } as const
const GROUP_READS = 0o050
const STICKY = 0o1000

/** A data folder set to `/` or `/tmp` must not lock everybody else out of it. */
function isSystemFolder(path: string, mode: number): boolean {
  return (mode & STICKY) !== 0 || path === parse(path).root
}
