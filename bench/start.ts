/** Time to the first response after the start, and memory when idle and while photos are ingested. */
import sharp from 'sharp'
import { startProduct } from './lib/product.ts'
import { line, median } from './lib/report.ts'

const STARTS = 5
const PHOTOS = 24

const first = await startProduct()
const starts: number[] = []
await first.stop()
for (let i = 0; i < STARTS; i++) {
  const product = await startProduct()
  starts.push(product.startMs)
  await product.stop()
}
const start = median(starts)
line('start to first answer', `${start.toFixed(0)} ms`, 'under 1000 ms', start < 1_000)

const product = await startProduct()
try {
  await pause(5_000)
  const idle = await product.memoryMb()
  line('memory idle', `${idle.toFixed(0)} MB`, '150 MB', idle <= 150)
  const ingest = await memoryWhileTakingIn()
  line(`memory while taking in ${PHOTOS} photos of 12 MP`, `${ingest.toFixed(0)} MB`, '600 MB', ingest <= 600)
} finally {
  await product.stop()
}

async function memoryWhileTakingIn(): Promise<number> {
  const headers = { authorization: `Bearer ${await product.signIn()}` }
  let peak = 0
  const watch = setInterval(async () => {
    peak = Math.max(peak, await product.memoryMb())
  }, 100)
  for (let i = 0; i < PHOTOS; i++) {
    const noise = { type: 'gaussian' as const, mean: 80 + i, sigma: 25 }
    const photo = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'black', noise } })
      .jpeg({ quality: 88 })
      .toBuffer()
    const form = new FormData()
    form.append('files', new Blob([new Uint8Array(photo)]), `photo-${i}.jpg`)
    await fetch(`${product.url}/api/media/upload`, { method: 'POST', body: form, headers })
  }
  for (let waiting = 1; waiting > 0; await pause(300)) {
    const health = await (await fetch(`${product.url}/api/admin/health`, { headers })).json()
    waiting = (health as { waiting_jobs: number }).waiting_jobs
  }
  clearInterval(watch)
  return peak
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
