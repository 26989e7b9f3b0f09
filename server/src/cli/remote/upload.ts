import { openAsBlob } from 'node:fs'
import { lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Client } from '#client/client.ts'
import { type SourceFile, type Unfinished, uploadFile } from '#client/upload.ts'
import { folderNameKey, listFolders } from '#contract/folders.ts'
import { lengths } from '#contract/limits.ts'
import { nameFromDisk } from '../../kit/name-from-disk.ts'
import { detectFormat } from '../../processing/detect-format.ts'
import { hashFile } from '../../processing/hash.ts'
import { CommandError, readArguments, UsageError } from '../command.ts'
import { type TreeFile, walk } from '../import/walk.ts'
import { inParallel } from '../in-parallel.ts'
import { inCount, inList, showProgress } from '../progress.ts'
import { connectTo, type RemoteCall, type RemoteCommand, remoteFlags, remoteUsage } from './remote.ts'

/** The next file is hashed while one is sent. */
const AT_ONCE = 3

export const uploadCommand: RemoteCommand = {
  usage: `npm run heirloom -- upload FILE-OR-FOLDER… [--folder "Trips/Lisbon"] [--server URL] [--password PASSWORD]

Sends photos and videos to a library, with all folders below those named. What the library has already is not sent again; large files
go on where they stopped when it is run again. --folder names the folder of the library that they are put into.
${remoteUsage}`,

  async runRemote(call) {
    const { values, words } = readArguments(
      call.args,
      { ...remoteFlags, folder: { type: 'string' } },
      Number.POSITIVE_INFINITY,
    )
    if (words.length === 0) throw new UsageError('Which files should be uploaded?')
    const client = connectTo(call, values)
    const folderId = values.folder === undefined ? undefined : await findFolder(client, values.folder)
    const files = await filesToSend(call, words)
    const total = { files: files.length, bytes: sum(files.flatMap(file => [file.size, file.clip?.size ?? 0])) }
    const progress = showProgress(call.out, 'Uploading', total)
    const counts = { added: 0, duplicates: 0 }
    const problems: string[] = []
    const unfinished = await rememberUnfinished(call.settings.stateFolder)
    await inParallel(each(files), AT_ONCE, async file => {
      try {
        const source = await sourceOf(file, call.signal)
        const options = {
          folderId,
          unfinished,
          signal: call.signal,
          onProgress: (bytes: number) => progress.add(0, bytes),
        }
        const { duplicate } = await uploadFile(client, source, options)
        counts[duplicate ? 'duplicates' : 'added']++
      } catch (error) {
        call.signal.throwIfAborted()
        problems.push(`${file.path}: ${error instanceof Error ? error.message : String(error)}`)
      }
      progress.add(1, 0)
    })
    progress.end()
    call.out.write(
      `Uploaded ${inCount(counts.added, 'file')}. ${inCount(counts.duplicates, 'file')} were there already.\n`,
    )
    if (problems.length === 0) return 0
    call.out.write(`${inCount(problems.length, 'file')} could not be uploaded:\n${inList(problems)}`)
    return 1
  },
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

/** Photos and videos, by their bytes; what else there is has been left out on purpose or is named. */
async function filesToSend({ cwd, out, signal }: RemoteCall, words: readonly string[]): Promise<TreeFile[]> {
  const files: TreeFile[] = []
  const others: string[] = []
  for (const word of words) {
    const path = resolve(cwd, word)
    const entry = await lstat(path).catch(cause => {
      throw new CommandError(`${word} cannot be read.`, { cause })
    })
    if (entry.isFile()) {
      files.push({ path, name: basename(path), folders: [], size: entry.size, modifiedAt: entry.mtimeMs })
      continue
    }
    for await (const found of walk(path, { leaveOut: [], signal })) {
      if ('skipped' in found) {
        if (found.skipped === 'unreadable') others.push(`${found.path}: cannot be read`)
      } else if (await detectFormat(found.file.path).catch(() => undefined)) files.push(found.file)
      else others.push(`${found.file.path}: no photo or video`)
    }
  }
  if (others.length > 0) out.write(`Left out: ${inCount(others.length, 'file')}\n${inList(others)}`)
  return files
}

async function sourceOf({ path, name, modifiedAt, clip }: TreeFile, signal: AbortSignal): Promise<SourceFile> {
  return {
    blob: await openAsBlob(path),
    name: nameFromDisk(name, lengths.fileName),
    hash: await hashFile(path, { signal }),
    lastModified: Math.round(modifiedAt),
    ...(clip ? { clip: await sourceOf(clip, signal) } : {}),
  }
}

async function findFolder(client: Client, path: string): Promise<number> {
  const folders = await client.call(listFolders)
  let parent: number | null = null
  for (const name of path.split('/').filter(Boolean)) {
    const found: number | undefined = folders.find(
      folder => folder.parent_id === parent && folderNameKey(folder.name) === folderNameKey(name),
    )?.id
    if (found === undefined) throw new CommandError(`The library has no folder “${path}”. Make it there first.`)
    parent = found
  }
  if (parent === null) throw new UsageError('Which folder?')
  return parent
}

/** On the disk, so that another run goes on with large files. */
async function rememberUnfinished(folder: string): Promise<Unfinished> {
  const file = join(folder, 'unfinished-uploads.json')
  const known = new Map<string, string>(
    await readFile(file, 'utf8').then(
      text => Object.entries(JSON.parse(text)),
      () => [],
    ),
  )
  let writing = Promise.resolve()
  return {
    get: hash => known.get(hash),
    set(hash, address) {
      if (known.get(hash) === address) return
      if (address === undefined) known.delete(hash)
      else known.set(hash, address)
      writing = writing.then(async () => {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(known)), { mode: 0o600 })
        await rename(`${file}.new`, file)
      })
      return writing
    },
  }
}
