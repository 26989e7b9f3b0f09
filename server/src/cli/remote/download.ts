import { createWriteStream } from 'node:fs'
import { mkdir, rename, stat } from 'node:fs/promises'
import { join, parse, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from '#client/client.ts'
import { getMedia, type MediaFile } from '#contract/media.ts'
import { hashFile } from '../../processing/hash.ts'
import { CommandError, readArguments, UsageError } from '../command.ts'
import { inParallel } from '../in-parallel.ts'
import { inCount, inList, showProgress } from '../progress.ts'
import { connectTo, type RemoteCommand, remoteFlags, remoteUsage } from './remote.ts'

const AT_ONCE = 3

export const downloadCommand: RemoteCommand = {
  usage: `npm run heirloom -- download "WORDS" --to FOLDER [--server URL] [--password PASSWORD]

Copies the originals of the photos and videos that a search for WORDS finds into FOLDER, and compares each with its hash. What is there whole
is left as it is, so it can be stopped and run again.
${remoteUsage}`,

  async runRemote(call) {
    const { values, words } = readArguments(
      call.args,
      { ...remoteFlags, to: { type: 'string' } },
      Number.POSITIVE_INFINITY,
    )
    if (words.length === 0) throw new UsageError('What should be downloaded?')
    if (!values.to) throw new UsageError('Where should they go? Name a folder by --to FOLDER.')
    const client = connectTo(call, values)
    const folder = resolve(call.cwd, values.to)
    await mkdir(folder, { recursive: true })
    const found = await Array.fromAsync(client.files({ search: words.join(' '), sort: 'date', order: 'asc' }))
    if (found.length === 0) throw new CommandError('Nothing is found by these words.')
    const total = { files: found.length, bytes: found.reduce((sum, { file_size }) => sum + file_size, 0) }
    const progress = showProgress(call.out, 'Downloading', total)
    const problems: string[] = []
    let there = 0
    await inParallel(Readable.from(withPaths(folder, found)), AT_ONCE, async ({ file, path }) => {
      try {
        if (await isThere(path, file)) there++
        else await download(client, file, path, call.signal)
      } catch (error) {
        call.signal.throwIfAborted()
        problems.push(`${file.original_name}: ${error instanceof Error ? error.message : String(error)}`)
      }
      progress.add(1, file.file_size)
    })
    progress.end()
    call.out.write(
      `Downloaded ${inCount(total.files - there - problems.length, 'file')}. ${inCount(there, 'file')} were there already.\n`,
    )
    if (problems.length === 0) return 0
    call.out.write(`${inCount(problems.length, 'file')} could not be downloaded:\n${inList(problems)}`)
    return 1
  },
}

/** A name that several files have gets the id of the file. What a name may not be on a disk is replaced. */
function* withPaths(folder: string, files: readonly MediaFile[]): Generator<{ file: MediaFile; path: string }> {
  const taken = new Set<string>()
  for (const file of files) {
    const name = file.original_name.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '_').replace(/^\.+/, '_')
    const { name: stem, ext } = parse(name)
    const unique = taken.has(name.toLowerCase()) ? `${stem} (${file.id})${ext}` : name
    taken.add(unique.toLowerCase())
    yield { file, path: join(folder, unique) }
  }
}

async function isThere(path: string, { file_size, hash }: MediaFile): Promise<boolean> {
  const size = await stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
  if (size === undefined) return false
  if (size === file_size && (await hashFile(path)) === hash) return true
  throw new CommandError('another file of this name is there')
}

async function download(client: Client, file: MediaFile, path: string, signal: AbortSignal): Promise<void> {
  // The signature of the list may have expired by now.
  const { download_url } = await client.call(getMedia, { params: { id: file.id } })
  const { body } = await client.download(download_url, signal)
  if (!body) throw new CommandError('the server sent nothing')
  // What did not arrive whole stays under this name, and is written again by the next run.
  const part = `${path}.part`
  const bytes = Readable.fromWeb(body as import('node:stream/web').ReadableStream)
  await pipeline(bytes, createWriteStream(part), { signal })
  if ((await hashFile(part)) !== file.hash)
    throw new CommandError('the bytes that arrived are not those of the original')
  await rename(part, path)
}
