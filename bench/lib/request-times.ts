/** Runs in its own thread, so that the uploads of the benchmark do not delay its timers. */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const ADDRESSES = ['/api/media?limit=100', '/api/media/timeline', '/api/folders', '/api/notifications']
const REQUEST_EVERY_MS = 30

const { url, headers } = workerData as { url: string; headers: Record<string, string> }
const times: number[] = []
let stopped = false
parentPort?.once('message', () => {
  stopped = true
})
for (let i = 0; !stopped; i++) {
  const address = url + ADDRESSES[i % ADDRESSES.length]
  const began = performance.now()
  const answer = await fetch(address, { headers })
  await answer.text()
  // A refusal is fast and would look like a good result.
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`)
  times.push(performance.now() - began)
  await pause(REQUEST_EVERY_MS)
}
parentPort?.postMessage(times)
