import { startWorkerPool } from '#server/processing/worker-pool.ts'
import type { misbehaviour } from './misbehaving-worker.ts'

/** A server that dies while one of its workers is in an endless loop. Prints the worker's pid first. */
const pool = startWorkerPool<typeof misbehaviour>(new URL('./misbehaving-worker.ts', import.meta.url), {
  size: 1,
  memoryMb: 500,
  timeoutMs: 60_000,
})
process.stdout.write(String(await pool.run('pid', undefined)))
void pool.run('spin', undefined)
setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200)
