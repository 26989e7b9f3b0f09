import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { inChunks } from '#server/kit/in-chunks.ts'
import { openScratch } from '#server/kit/safe-path.ts'
import { openArchive } from '#server/media/zip/archive.ts'

/** Opens many archives, reads the first bytes of each and prints how much memory they take, in bytes. */
const [archives, files] = process.argv.slice(2).map(Number) as [number, number]
const folder = await mkdtemp(join(tmpdir(), 'heirloom-zip-'))
const scratch = await openScratch(folder)

async function* listed() {
  for (const some of inChunks(Array.from({ length: files }, (_, i) => i))) {
    yield some.map(i => ({ name: `photo with a rather long name ${i}.jpg`, size: 1, wallClock: 0, source: i }))
  }
}

const open = async () => {
  const { stream } = await openArchive(scratch, listed(), async () => Readable.from([Buffer.of(1)]))
  await once(stream, 'readable')
  return stream
}

// The first one loads code and warms up the heap.
;(await open()).destroy()
globalThis.gc?.()
const before = process.memoryUsage().rss
const streams: Readable[] = []
while (streams.length < archives) streams.push(await open())
globalThis.gc?.()
process.stdout.write(`${process.memoryUsage().rss - before}\n`)
for (const stream of streams) stream.destroy()
await rm(folder, { recursive: true, force: true })
