import { lstat, open } from 'node:fs/promises'
import type { ImportProblem } from '#contract/imports.ts'
import { imports } from '#contract/limits.ts'
import { type RootFolder, rootFolder } from '../../kit/safe-path.ts'
import type { SourceFile } from '../plan.ts'
import { readDirectory } from './directory.ts'
import { readTgz } from './tgz.ts'
import { SourceError, type SourceTree, type TreeFile, type TreeOptions, type TreePart } from './tree-part.ts'
import { readZip } from './zip.ts'

/** Reads which files there are in folders, ZIP files and .tgz files: all of them are parts of one tree. Absolute paths. */
export async function openTree(paths: readonly string[], options: TreeOptions): Promise<SourceTree> {
  const closes: (() => Promise<void>)[] = []
  const listeners: ((files: readonly SourceFile[]) => void)[] = []
  const files: TreeFile[] = []
  const problems: ImportProblem[] = []
  const close = async () => {
    for (const end of closes.splice(0)) await end()
  }
  const part: TreePart = {
    add(file) {
      if (files.length >= imports.sourceFiles) {
        throw new SourceError(
          `There are more than ${imports.sourceFiles.toLocaleString('en')} files. Import them in parts.`,
        )
      }
      files.push(file)
    },
    problem(problem) {
      if (problems.length < imports.problems) problems.push(problem)
    },
    atEnd: end => void closes.push(end),
    early: listener => void listeners.push(listener),
  }
  try {
    for (const path of paths) {
      options.signal.throwIfAborted()
      await readPart(rootFolder(path), part, options)
    }
  } catch (error) {
    await close()
    throw error
  }
  return { files, problems, openEarly: early => void listeners.map(listener => listener(early)), close }
}

async function readPart(path: RootFolder, part: TreePart, options: TreeOptions): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found)
    throw new SourceError(
      `${path} cannot be read. It must be on the machine of the server, and the server may read it.`,
    )
  if (found.isDirectory()) return readDirectory(path, part, options)
  const kind = await archiveKind(path)
  if (kind === 'zip') return readZip(path, part, options)
  if (kind === 'gzip') return readTgz(path, part, options)
  throw new SourceError(`${path} is neither a folder nor a ZIP or .tgz file.`)
}

async function archiveKind(path: string): Promise<'zip' | 'gzip' | undefined> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    if (bytesRead >= 2 && buffer[0] === 0x1f && buffer[1] === 0x8b) return 'gzip'
    const signature = bytesRead === 4 ? buffer.readUInt32LE(0) : 0
    return signature === 0x04034b50 || signature === 0x06054b50 ? 'zip' : undefined
  } finally {
    await handle.close()
  }
}
