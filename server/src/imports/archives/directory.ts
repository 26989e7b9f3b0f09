import { createReadStream } from 'node:fs'
import { lstat, opendir } from 'node:fs/promises'
import { imports } from '#contract/limits.ts'
import { pathBelow, type RootFolder, type SafePath, safeName } from '../../kit/safe-path.ts'
import { collect, type TreeFile, type TreeOptions, type TreePart } from './tree-part.ts'

/** The files below a folder, sorted by name. Links are not followed: they could lead outside or in a cycle. */
export async function readDirectory(
  folder: RootFolder,
  part: TreePart,
  options: TreeOptions,
  parents: readonly string[] = [],
): Promise<void> {
  options.signal.throwIfAborted()
  const inTree = (name: string) => [...parents, name].join('/').normalize('NFC')
  const entries = await opendir(folder)
    .then(found => Array.fromAsync(found))
    .catch(error => {
      part.problem({ path: inTree(''), reason: 'unreadable', detail: String(error.message) })
      return []
    })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = pathIn(folder, entry.name)
    if (path === options.leaveOut) continue
    if (!path) {
      part.problem({ path: inTree(entry.name), reason: 'unsafe-name' })
      continue
    }
    if (entry.isSymbolicLink()) part.problem({ path: inTree(entry.name), reason: 'link' })
    else if (entry.isDirectory()) await readDirectory(path, part, options, [...parents, entry.name])
    else if (entry.isFile()) await addFile(path, inTree(entry.name), part, options)
  }
}

/** Undefined for a name that no path is made of, such as one with control characters. */
function pathIn(folder: RootFolder, name: string): SafePath | undefined {
  try {
    return pathBelow(folder, safeName(name))
  } catch {
    // Named in the report.
    return undefined
  }
}

async function addFile(diskPath: string, path: string, part: TreePart, options: TreeOptions): Promise<void> {
  try {
    const { size, mtimeMs } = await lstat(diskPath)
    const file: TreeFile = {
      ...{ path, name: path.split('/').at(-1) ?? path, size, modifiedAt: null },
      fingerprint: `${mtimeMs}`,
      open: () => createReadStream(diskPath, { highWaterMark: 1024 * 1024 }),
    }
    if (options.isParsed(path) && size <= imports.sidecarBytes) {
      file.parsed = options.parse(path, (await collect(file.open())) ?? Buffer.alloc(0))
    }
    part.add(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    part.problem({ path, reason: 'unreadable', detail: error.message })
  }
}
