import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { CHECKSUMS } from '../../export/contents.ts'
import { pathBelow, type RootFolder } from '../../kit/safe-path.ts'
import { hashFile } from '../../processing/hash.ts'
import { openBareStorage } from '../bare-storage.ts'
import { inParallel } from '../in-parallel.ts'
import { showProgress } from '../progress.ts'
import type { ExportContext } from './export.ts'

const LINE = /^([0-9a-f]{64}) {2}(.+)$/

/** Reads every file of an export again, without the library. Returns those that are missing or differ. */
export async function verifyExport(root: RootFolder, { out, signal }: ExportContext): Promise<string[]> {
  const files = await openBareStorage(root)
  const total = { files: 0, bytes: 0 }
  for await (const { path } of listed(root)) {
    total.files += 1
    total.bytes += (await files.stat(path))?.size ?? 0
  }
  const progress = showProgress(out, 'Verifying', total)
  const problems: string[] = []
  await inParallel(listed(root), 2, async ({ hash, path }) => {
    signal.throwIfAborted()
    const found = await files.stat(path)
    if (!found) problems.push(`missing: ${path}`)
    else if ((await files.withLocalCopy(path, copy => hashFile(copy, { signal }))) !== hash) {
      problems.push(`changed: ${path}`)
    }
    progress.add(1, found?.size ?? 0)
  })
  progress.end()
  return problems
}

async function* listed(root: RootFolder): AsyncGenerator<{ hash: string; path: string }> {
  for await (const line of createInterface(createReadStream(pathBelow(root, CHECKSUMS)))) {
    const [, hash, path] = LINE.exec(line) ?? []
    if (hash !== undefined && path !== undefined) yield { hash, path }
  }
}
