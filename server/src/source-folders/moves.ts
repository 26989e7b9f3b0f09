import { lstat, mkdir, realpath, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RootFolder, SafePath } from '../kit/safe-path.ts'
import { isMissing } from '../storage/local/disk-errors.ts'
import { pathOfName } from './paths.ts'

/** Moves a file of the inbox into one of its folders, below which it keeps its path. Never overwrites. Returns that path. */
export async function moveInto(root: RootFolder, folder: 'done' | 'failed', path: string): Promise<string> {
  const target = await freeTarget(root, folder, path)
  await renameUnlessGone(path, target.path)
  return target.name
}

/**
 * Moves files to `failed`, the last one with a text file beside it that says why. The text is written first: a server that
 * is killed in between leaves the file where it was.
 */
export async function setAside(root: RootFolder, paths: readonly string[], reason: string): Promise<string> {
  const last = paths.at(-1) ?? ''
  for (const path of paths.slice(0, -1)) await moveInto(root, 'failed', path)
  const { name, path } = await freeTarget(root, 'failed', last, path => `${path}.txt`)
  // Other programs write here: what they have put there is neither overwritten nor followed as a link.
  await writeFile(`${path}.txt`, `${reason}\n`, { flag: 'wx' })
  await renameUnlessGone(last, path)
  return name
}

/** Whether a file that was set aside is still there. */
export async function isSetAside(root: RootFolder, name: string): Promise<boolean> {
  const path = pathOfName(root, `failed/${name}`)
  return path !== undefined && (await exists(path))
}

async function freeTarget(
  root: RootFolder,
  folder: 'done' | 'failed',
  from: string,
  beside?: (path: string) => string,
) {
  const wanted = usable(from.slice(root.length + 1))
  for (let copy = 1; ; copy++) {
    const name = copy === 1 ? wanted : wanted.replace(/(\.[^./]*)?$/, extension => ` (${copy})${extension}`)
    const path = pathOfName(root, `${folder}/${name}`)
    if (path === undefined) throw new Error(`There is no name for ${from} in ${folder}.`)
    await mkdir(dirname(path), { recursive: true })
    if ((await realpath(dirname(path))) !== dirname(path)) throw new Error(`${dirname(path)} is a link.`)
    if (!(await exists(path)) && !(beside && (await exists(beside(path))))) return { name, path }
  }
}

/** Names that cannot be used are what some files failed for. */
function usable(name: string): string {
  const plain = name.replace(/[\p{Cc}\\\uFFFD]/gu, '_')
  return Buffer.byteLength(plain) <= 900 ? plain : [...plain].slice(-200).join('').replace(/^\/+/, '')
}

async function renameUnlessGone(from: string, to: SafePath): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
