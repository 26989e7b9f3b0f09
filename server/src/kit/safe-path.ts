import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'

// The only way to turn a name into a path, and the only place that deletes files. An untrusted name (an id, a storage
// key) is parsed into a branded type first; a plain string neither compiles here nor passes the check at run time.
// scripts/boundaries.ts enforces that other files do not bypass this one.

declare const folderBrand: unique symbol
declare const pathBrand: unique symbol
declare const nameBrand: unique symbol

/** A folder from the settings or an operator, or a temporary one that we created. */
export type RootFolder = string & { readonly [folderBrand]: true }
/** A file or folder strictly below a root folder. */
export type SafePath = RootFolder & { readonly [pathBrand]: true }
/** A relative name that cannot lead out of the folder it is looked up in. */
export type SafeName = string & { readonly [nameBrand]: true }

/** String literals in the source code are safe; computed strings are not. */
type Literal<Name extends string> = Name extends SafeName
  ? Name
  : Record<never, never> extends Record<Name, 1>
    ? never
    : Name

const MAX_SEGMENT_BYTES = 255

/** Only for parsers, which check the exact format. This checks that the name cannot leave its folder. */
export function safeName(text: string): SafeName {
  if (!isSafeName(text)) throw new Error(`Not a safe file name: ${JSON.stringify(text.slice(0, 300))}`)
  return text as SafeName
}

function isSafeName(text: string): boolean {
  return (
    !/[\p{Cc}\\]/u.test(text) &&
    text
      .split('/')
      .every(
        segment =>
          segment !== '' && segment !== '.' && segment !== '..' && Buffer.byteLength(segment) <= MAX_SEGMENT_BYTES,
      )
  )
}

export function newName(): SafeName {
  return safeName(randomUUID())
}

export function rootFolder(path: string): RootFolder {
  if (!isAbsolute(path) || path.includes('\0')) throw new Error(`Not an absolute path: ${JSON.stringify(path)}`)
  return resolve(path) as RootFolder
}

export function pathBelow<const Name extends string>(folder: RootFolder, name: Literal<Name>): SafePath {
  // Brands exist at compile time only, so name and result are checked whatever the types say.
  const path = join(folder, safeName(name))
  if (!isAbsolute(folder) || !isBelow(folder, path)) {
    throw new Error(`${JSON.stringify(path)} is not below ${JSON.stringify(folder)}`)
  }
  return path as SafePath
}

/** The folder that contains `path`; undefined if that is the root itself. */
export function parentBelow(root: RootFolder, path: SafePath): SafePath | undefined {
  const parent = dirname(path)
  return isBelow(root, parent) ? (parent as SafePath) : undefined
}

function isBelow(folder: string, path: string): boolean {
  const prefix = folder.endsWith(sep) ? folder : folder + sep
  return path.startsWith(prefix) && path !== prefix
}

/** Everything directly in a folder. */
export async function pathsIn(folder: RootFolder): Promise<SafePath[]> {
  return (await readdir(folder)).map(name => join(folder, name) as SafePath)
}

/** A missing file is no error. */
export async function removeFile(path: SafePath): Promise<void> {
  await rm(path, { force: true })
}

/** Recursively. A missing folder is no error. */
export async function removeFolder(path: SafePath): Promise<void> {
  await rm(path, { recursive: true, force: true })
}

/** Fails unless the folder is empty. */
export async function removeEmptyFolder(path: SafePath): Promise<void> {
  await rmdir(path)
}

/** A new folder in `parent` for as long as `work` takes. */
export async function withTemporaryFolder<T>(
  parent: string,
  prefix: string,
  work: (folder: RootFolder) => Promise<T>,
): Promise<T> {
  const folder = rootFolder(await mkdtemp(join(parent, prefix)))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A folder for temporary files. Files found there at start were left by a process that died. */
export interface Scratch {
  /** Calls `work` with a new folder and removes the folder afterwards. */
  withFolder<T>(work: (folder: RootFolder) => Promise<T>): Promise<T>
}

export async function openScratch(path: string): Promise<Scratch> {
  const folder = rootFolder(path)
  await mkdir(folder, { recursive: true })
  for (const left of await pathsIn(folder)) await removeFolder(left)
  return {
    async withFolder(work) {
      const own = pathBelow(folder, newName())
      await mkdir(own)
      try {
        return await work(own)
      } finally {
        await removeFolder(own)
      }
    },
  }
}
