import { dirname } from 'node:path'
import { isIn, seed, serverFeatures, serverKit } from './areas.ts'
import type { SourceFacts } from './source-facts.ts'

const safePaths = `${serverKit}/safe-path.ts`
/**
 * The only files that may delete. Processing removes its own output in the caller's scratch folder, and files in the
 * folders that it shares with the sandbox.
 */
const mayDelete = [
  safePaths,
  'server/src/processing/exiftool.ts',
  'server/src/processing/sandbox/exchange.ts',
  'server/src/processing/sandbox/open-sandbox.ts',
  'server/src/processing/processing.ts',
  'server/src/processing/video/poster.ts',
  'server/src/processing/video/convert.ts',
]
/** Parsers: each validates one kind of untrusted text and returns a name in an exact format. */
const mayParseNames = [
  safePaths,
  'server/src/media/upload/resumable-store.ts',
  'server/src/cli/backup/backup-folder.ts',
  'server/src/source-folders/paths.ts',
  'server/src/imports/archives/directory.ts',
]
/** Modules that are configured with a root folder. Features get their folder from them. */
const mayOpenRoots = [
  safePaths,
  'server/src/storage/local/local-storage.ts',
  'server/src/media/upload/resumable-in-folder.ts',
  'server/src/db/sqlite/snapshot-before-migration.ts',
  'server/src/source-folders/paths.ts',
  // What an operator names.
  'server/src/imports/archives/source-tree.ts',
]
/** Features and storage never build paths themselves: an unchecked name could escape the folder (path traversal). */
const pathBuilders = new Set(['join', 'resolve', 'normalize', 'posix', 'win32', '*'])
const deletions = new Set(['rm', 'rmSync', 'unlink', 'unlinkSync', 'rmdir', 'rmdirSync', '*'])
const brands: Readonly<Record<string, string>> = {
  RootFolder: safePaths,
  SafePath: safePaths,
  SafeName: safePaths,
  UploadId: 'server/src/media/upload/resumable-store.ts',
  StorageKey: 'server/src/storage/keys.ts',
}

/** Reports code that bypasses safe-path.ts: building paths or deleting elsewhere. */
export function brokenPathRules(file: string, { names, casts }: SourceFacts): { line: number; says: string }[] {
  const found: { line: number; says: string }[] = []
  for (const { specifier, name, line } of names) {
    const module = specifier.replace(/^node:/, '')
    const add = (says: string): void => void found.push({ line, says })
    if (/^fs(\/promises)?$/.test(module) && deletions.has(name) && !mayDelete.includes(file)) {
      add(`imports ${name} of ${specifier}: files are deleted by ${safePaths} alone`)
    }
    if (/^path(\/(posix|win32))?$/.test(module) && pathBuilders.has(name) && buildsNoPaths(file)) {
      add(`imports ${name} of ${specifier}: a path is made by pathBelow in ${safePaths}`)
    }
    if (!module.endsWith('/safe-path.ts')) continue
    if ((name === 'safeName' || name === '*') && !mayParseNames.includes(file)) {
      add(`imports ${name} of ${safePaths}: a name from outside is made safe by the parsers of its kind alone`)
    }
    if (name === 'rootFolder' && !mayOpenRoots.includes(file) && !isComposition(file)) {
      add(`imports rootFolder: folders are opened by the composition root, and by ${mayOpenRoots.join(', ')}`)
    }
  }
  for (const { type, line } of casts) {
    const home = Object.hasOwn(brands, type) ? brands[type] : undefined
    if (home && home !== file) found.push({ line, says: `casts to ${type}, which only ${home} makes` })
  }
  return found
}

function buildsNoPaths(file: string): boolean {
  const areas = [serverKit, 'server/src/storage', 'server/src/jobs', 'server/src/live', ...serverFeatures]
  // The demo provider stores its keys in the data folder under a fixed name.
  const excepted = [safePaths, 'server/src/auth/demo/keys.ts']
  return areas.some(area => isIn(area, file)) && !excepted.includes(file)
}

function isComposition(file: string): boolean {
  return dirname(file) === 'server/src' || isIn('server/src/cli', file) || isIn(seed, file)
}
