import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { clipsByStill } from '#contract/motion-photos.ts'
import type { AppContext } from '../../context.ts'
import { MARKER, PREVIEWS } from '../../export/contents.ts'
import { isLivePhotoPair } from '../../media/upload/check-upload.ts'
import { detectFormat } from '../../processing/detect-format.ts'
import { sidecarsByFile } from './sidecars.ts'

/** A file to import, or the reason why an entry is skipped. */
export type FoundEntry =
  | { file: TreeFile }
  | { skipped: 'link' | 'hidden' | 'special'; path: string }
  | { skipped: 'unreadable'; path: string; reason: unknown }

export interface TreeFile {
  path: string
  name: string
  /** The folders between the top of the tree and the file. */
  folders: readonly string[]
  size: number
  modifiedAt: number
  /** A possible clip of a Live Photo, which is not yielded separately. */
  clip?: TreeFile
  /** The path of its XMP sidecar. */
  sidecar?: string
}

/** Files that operating systems, camera software and NAS devices leave in photo folders. */
const LEFT_BY_SYSTEMS = new Set([
  ...['thumbs.db', 'ehthumbs.db', 'ehthumbs_vista.db', 'desktop.ini', 'icon\r', '@eadir', '#recycle', '#snapshot'],
  ...['$recycle.bin', 'system volume information', '__macosx', 'lost+found', 'lost.dir'],
])

function isHidden(name: string): boolean {
  return name.startsWith('.') || LEFT_BY_SYSTEMS.has(name.toLowerCase())
}

/**
 * Every file below a folder, sorted by name. Symbolic links are not followed: they could lead outside or in a cycle.
 */
export async function* walk(
  folder: string,
  options: { leaveOut: readonly string[]; signal: AbortSignal },
  folders: readonly string[] = [],
): AsyncGenerator<FoundEntry> {
  const entries = await entriesOf(folder)
  if (!Array.isArray(entries)) {
    yield { skipped: 'unreadable', path: folder, reason: entries.reason }
    return
  }
  const ordinary = entries.filter(entry => entry.isFile() && !isHidden(entry.name)).map(entry => entry.name)
  const clips = clipsByStill(ordinary, name => name)
  const sidecars = sidecarsByFile(ordinary)
  const isExport = ordinary.includes(MARKER)
  const paired = new Set([...clips.values(), ...sidecars.values()])
  for (const entry of entries) {
    options.signal.throwIfAborted()
    const path = join(folder, entry.name)
    if (options.leaveOut.includes(path) || (isExport && entry.name === PREVIEWS)) continue
    if (isHidden(entry.name)) yield { skipped: 'hidden', path }
    else if (entry.isSymbolicLink()) yield { skipped: 'link', path }
    else if (entry.isDirectory()) yield* walk(path, options, [...folders, entry.name])
    else if (entry.isFile() && !paired.has(entry.name))
      yield* describeFiles(folder, entry.name, folders, { clips, sidecars })
    else if (!entry.isFile()) yield { skipped: 'special', path }
  }
}

const inOrder = new Intl.Collator('en', { numeric: true })

async function entriesOf(folder: string) {
  try {
    const entries = await Array.fromAsync(await opendir(folder))
    return entries.sort((a, b) => inOrder.compare(a.name, b.name))
  } catch (reason) {
    return { reason }
  }
}

/** Yields a file with its possible clip, or both separately if one of them cannot be read. */
async function* describeFiles(
  folder: string,
  name: string,
  folders: readonly string[],
  { clips, sidecars }: { clips: ReadonlyMap<string, string>; sidecars: ReadonlyMap<string, string> },
): AsyncGenerator<FoundEntry> {
  const found = await describeFile(join(folder, name), name, folders)
  const sidecar = sidecars.get(name)
  if ('file' in found && sidecar !== undefined) found.file.sidecar = join(folder, sidecar)
  const clipName = clips.get(name)
  const clip = clipName === undefined ? undefined : await describeFile(join(folder, clipName), clipName, folders)
  const clipSidecar = clipName === undefined ? undefined : sidecars.get(clipName)
  if (clip && 'file' in clip && clipSidecar !== undefined) clip.file.sidecar = join(folder, clipSidecar)
  if ('file' in found && clip && 'file' in clip) {
    yield { file: { ...found.file, clip: clip.file } }
    return
  }
  yield found
  if (clip) yield clip
}

async function describeFile(path: string, name: string, folders: readonly string[]): Promise<FoundEntry> {
  try {
    const { size, mtimeMs } = await lstat(path)
    return { file: { path, name, folders, size, modifiedAt: mtimeMs } }
  } catch (reason) {
    return { skipped: 'unreadable', path, reason }
  }
}

/** Whether two files of one name are the halves of a Live Photo. If unknown, they are imported as two files. */
export async function isLivePhoto(
  { tools, signal }: Pick<AppContext, 'tools'> & { signal: AbortSignal },
  still: TreeFile,
  clip: TreeFile,
): Promise<boolean> {
  try {
    const [photo, film] = [await detectFormat(still.path), await detectFormat(clip.path)]
    if (photo?.kind !== 'image' || film?.kind !== 'video') return false
    return await isLivePhotoPair(tools, still.path, { path: clip.path, format: film }, { signal })
  } catch {
    signal.throwIfAborted()
    // Its error is reported when the file is imported by itself.
    return false
  }
}
