import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { hashFile } from '../../processing/hash.ts'

/** Lines that say most of what a library is compress well even at little effort. */
const EFFORT = 4

/** Writes values as lines of JSON, compressed and synced to the disk; answers the file's hash. */
export async function writeJsonLines(path: string, batches: AsyncIterable<readonly unknown[]>): Promise<string> {
  async function* text() {
    for await (const batch of batches) yield batch.map(value => `${JSON.stringify(value)}\n`).join('')
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(text()), createGzip({ level: EFFORT }), file)
  return hashFile(path)
}

/** The values again, some at a time. */
export async function* readJsonLines(path: string): AsyncGenerator<unknown[]> {
  const source = createReadStream(path)
  const text = source.pipe(createGunzip())
  // A pipe does not pass errors on.
  source.once('error', error => text.destroy(error))
  text.setEncoding('utf8')
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(line => JSON.parse(line))
  }
  if (rest !== '') throw new Error(`${path} ends in the middle of a line`)
}
