/** A large upload through the product, beside a bare server that streams to a file with BLAKE3 and fsyncs it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHasher } from '../server/src/processing/hash.ts'
import { startProduct } from './lib/product.ts'
import { alternately, line, median } from './lib/report.ts'

const MEGABYTES = Number(process.env.MB ?? 1024)
const ROUNDS = Number(process.env.ROUNDS ?? 3)

const folder = await mkdtemp(join(tmpdir(), 'heirloom-upload-'))
const product = await startProduct()
const token = await product.signIn()
const bare = await startBare()
try {
  let round = 0
  const send = async (url: string) => {
    // Different bytes each time, since the library rejects duplicates.
    const path = await makeVideo(join(folder, `clip-${round++}.mp4`))
    const form = new FormData()
    form.append('fileMetadata', JSON.stringify({ originalName: 'clip.mp4' }))
    form.append('files', await openAsBlob(path), 'clip.mp4')
    const began = performance.now()
    const answer = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
    const seconds = (performance.now() - began) / 1000
    await rm(path)
    return MEGABYTES / seconds
  }
  const speeds = await alternately(
    ROUNDS,
    () => send(`${product.url}/api/media/upload`),
    () => send(bare.url),
  )
  const [ours, limit] = [median(speeds.ours), median(speeds.limit)]
  const ratio = ours / limit
  line(
    `upload of ${MEGABYTES} MB`,
    `${ours.toFixed(0)} MB/s, ${ratio.toFixed(2)} of a bare stream to a file with BLAKE3 (${limit.toFixed(0)} MB/s)`,
    '0.8',
    ratio >= 0.8,
  )
} finally {
  await product.stop()
  bare.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Starts like an MP4, which is all that an upload checks. */
async function makeVideo(path: string): Promise<string> {
  const file = await open(path, 'wx')
  await file.write(Buffer.from('00000018667479706d703432000000006d70343269736f6d', 'hex'))
  const block = randomBytes(1024 * 1024)
  for (let i = 0; i < MEGABYTES; i++) {
    block.writeUInt32LE(i)
    await file.write(block)
  }
  await file.close()
  return path
}

async function startBare() {
  const server = createServer(async (request, response) => {
    const file = await open(join(folder, `bare-${Date.now()}`), 'wx')
    const hasher = createHasher()
    for await (const chunk of request) {
      hasher.update(chunk)
      await file.write(chunk)
    }
    await file.sync()
    await file.close()
    response.end(hasher.digest())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() }
}
