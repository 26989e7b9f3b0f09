import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { uploadDialog } from '#contract/limits.ts'
import { WorkerPool, WorkerStalled } from './pool.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Stands in for the browser's Worker, which does nothing by itself. */
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

test('a task without progress is given up, and the next one gets its turn', async () => {
  const { pool, workers } = openPool()
  const first = pool.run('first')
  const firstOutcome = expect(first).rejects.toBeInstanceOf(WorkerStalled)
  const second = pool.run('second')
  await vi.advanceTimersByTimeAsync(uploadDialog.preparationStallsAfter)
  await firstOutcome
  expect(workers[0]?.terminated).toBe(true)
  expect(workers[1]?.inputs).toEqual(['second'])
  workers[1]?.onmessage?.({ data: { says: 'done', output: 'made' } })
  expect(await second).toBe('made')
})

test('a task that reports progress may take as long as it needs, and so may one that waits for its turn', async () => {
  const { pool, workers } = openPool()
  const first = pool.run('first')
  const second = pool.run('second')
  for (let round = 0; round < 5; round++) {
    await vi.advanceTimersByTimeAsync(uploadDialog.preparationStallsAfter - 1)
    workers[0]?.onmessage?.({ data: { says: 'progress', percent: 1 } })
  }
  workers[0]?.onmessage?.({ data: { says: 'done', output: 'one' } })
  workers[0]?.onmessage?.({ data: { says: 'done', output: 'two' } })
  expect(await Promise.all([first, second])).toEqual(['one', 'two'])
  await vi.advanceTimersByTimeAsync(uploadDialog.preparationStallsAfter)
  expect(workers).toHaveLength(1)
})
