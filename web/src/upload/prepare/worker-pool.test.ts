import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { uploadDialog } from '#contract/limits.ts'
import { WorkerPool, WorkerStalled } from './worker-pool.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A fake Worker that responds only when a test makes it. */
class SilentWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: unknown = null
  terminated = false
  readonly inputs: unknown[] = []

  postMessage(input: unknown): void {
    this.inputs.push(input)
  }

  terminate(): void {
    this.terminated = true
  }
}

function openPool() {
  const workers: SilentWorker[] = []
  const pool = new WorkerPool<string, string>(() => {
    const worker = new SilentWorker()
    workers.push(worker)
    return worker as unknown as Worker
  })
  return { pool, workers }
}

test('a task without progress is aborted, and the next one runs', async () => {
  const { pool, workers } = openPool()
  const first = pool.run('first')
  const firstOutcome = expect(first).rejects.toBeInstanceOf(WorkerStalled)
  const second = pool.run('second')
  await vi.advanceTimersByTimeAsync(uploadDialog.preparationStallsAfter)
  await firstOutcome
  expect(workers[0]?.terminated).toBe(true)
  expect(workers[1]?.inputs).toEqual(['second'])
  workers[1]?.onmessage?.({ data: { type: 'done', output: 'made' } })
  expect(await second).toBe('made')
})

test('neither a task with progress nor a waiting one times out', async () => {
  const { pool, workers } = openPool()
  const first = pool.run('first')
  const second = pool.run('second')
  for (let round = 0; round < 5; round++) {
    await vi.advanceTimersByTimeAsync(uploadDialog.preparationStallsAfter - 1)
    workers[0]?.onmessage?.({ data: { type: 'progress', percent: 1 } })
  }
  workers[0]?.onmessage?.({ data: { type: 'done', output: 'one' } })
  workers[0]?.onmessage?.({ data: { type: 'done', output: 'two' } })
  expect(await Promise.all([first, second])).toEqual(['one', 'two'])
  await vi.advanceTimersByTimeAsync(uploadDialog.preparationStallsAfter)
  expect(workers).toHaveLength(1)
})
