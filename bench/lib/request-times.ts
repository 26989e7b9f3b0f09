/** A thread of its own: what the benchmark sends at the same time must not delay the clock of these requests. */
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
  // A refusal is quick, and would pass for a good answer.
  if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`)
  times.push(performance.now() - began)
  await pause(REQUEST_EVERY_MS)
}
parentPort?.postMessage(times)
