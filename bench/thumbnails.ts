/** Thumbnails per second through the product's signed addresses, beside a bare server that pipes the same files. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import type { MediaFile } from '../contract/src/media.ts'
import { startProduct } from './lib/product.ts'
import { alternately, line, median } from './lib/report.ts'

const PHOTOS = 60
const REQUESTS = Number(process.env.REQUESTS ?? 4000)
const AT_ONCE = 16

const product = await startProduct()
const headers = { authorization: `Bearer ${await product.signIn()}` }
const bare = await startBare(join(product.folder, 'files'))
try {
  const addresses = await thumbnails()
  const fetchAll = (base: string) => async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const began = performance.now()
    let next = 0
    const worker = async () => {
      while (next < REQUESTS) await read(`${base}${addresses[next++ % addresses.length]}`, agent)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    agent.destroy()
    return REQUESTS / ((performance.now() - began) / 1000)
  }
  const speeds = await alternately(5, fetchAll(product.url), fetchAll(bare.url))
  const [ours, limit] = [median(speeds.ours), median(speeds.limit)]
  const ratio = ours / limit
  line(
    'thumbnails',
    `${ours.toFixed(0)} a second, ${ratio.toFixed(2)} of a bare file server (${limit.toFixed(0)})`,
    '0.7',
    ratio >= 0.7,
  )
} finally {
  await product.stop()
  bare.stop()
}

async function thumbnails(): Promise<string[]> {
  for (let i = 0; i < PHOTOS; i++) {
    const noise = { type: 'gaussian' as const, mean: 60 + i * 2, sigma: 40 }
    const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: 'black', noise } })
      .jpeg()
      .toBuffer()
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(photo)]), `photo-${i}.jpg`)
    await fetch(`${product.url}/api/media/upload`, { method: 'POST', body: form, headers })
  }
  for (;;) {
    const { files } = (await (await fetch(`${product.url}/api/media`, { headers })).json()) as { files: MediaFile[] }
    const ready = files.flatMap(file => file.thumbnail_url ?? [])
    if (ready.length === PHOTOS) return ready
    await new Promise(resolve => setTimeout(resolve, 500))
  }
}

function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, answer => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`))
      answer.on('end', resolve).on('error', reject).resume()
    }).on('error', reject)
  })
}

async function startBare(root: string) {
  const server = createServer(async (request, response) => {
    const path = join(root, decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname.replace('/files/', '')))
    const { size } = await stat(path)
    response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': size })
    createReadStream(path).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
