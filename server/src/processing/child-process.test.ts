import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { limitError, lowerPriority, type ProcessLimits, residentMb, watchProcess } from './child-process.ts'

const started: ChildProcess[] = []

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

function run(script: string): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ['-e', script], { stdio: 'ignore' })
  started.push(child)
  const { pid } = child
  if (pid === undefined) throw new Error('The process did not start')
  return Object.assign(child, { pid })
}

async function brokenLimit(script: string, limits: ProcessLimits) {
  const child = run(script)
  const watch = watchProcess(child.pid, limits)
  const [, signal] = await once(child, 'exit')
  return { broken: watch.stop(), signal }
}

test('a process that spins is ended at its time limit', async () => {
  const { broken, signal } = await brokenLimit('while (true);', { memoryMb: 1_000, timeoutMs: 300 })
  expect(broken).toBe('time')
  expect(signal).toBe('SIGKILL')
})

test('a process that waits for nothing is ended at its time limit', async () => {
  const { broken } = await brokenLimit('setInterval(() => {}, 1000)', { memoryMb: 1_000, timeoutMs: 300 })
  expect(broken).toBe('time')
})

test.runIf(existsSync('/proc/self/schedstat'))('time without a CPU does not count towards the time limit', async () => {
  const onOneCpu = (command: string, ...args: string[]) => {
    const child = spawn('taskset', ['-c', '0', command, ...args], { stdio: 'ignore' })
    started.push(child)
    lowerPriority(child.pid ?? 0)
    return child
  }
  for (let i = 0; i < 4; i++) onOneCpu('sh', '-c', 'while :; do :; done')
  const work = 'while (process.cpuUsage().user < 400_000);'
  const began = performance.now()
  const child = onOneCpu(process.execPath, '-e', work)
  const watch = watchProcess(child.pid ?? 0, { memoryMb: 1_000, timeoutMs: 2_000 })
  const [code] = await once(child, 'exit')
  expect(watch.stop()).toBeUndefined()
  expect(code).toBe(0)
  // Otherwise nothing was tested.
  expect(performance.now() - began).toBeGreaterThan(2_000)
})

test.runIf(process.platform === 'linux')('a process that hoards memory is ended at its memory limit', async () => {
  const hoard = 'const held = []; setInterval(() => held.push(Buffer.alloc(20e6, 1)), 1)'
  const { broken, signal } = await brokenLimit(hoard, { memoryMb: 200, timeoutMs: 15_000 })
  expect(broken).toBe('memory')
  expect(signal).toBe('SIGKILL')
})

test('a process that keeps to its limits ends by itself', async () => {
  const { broken, signal } = await brokenLimit('', { memoryMb: 1_000, timeoutMs: 15_000 })
  expect(broken).toBeUndefined()
  expect(signal).toBeNull()
})

test.runIf(process.platform === 'linux')('memory is read of a process that runs, and of no other', async () => {
  const child = run('setInterval(() => {}, 1000)')
  await vi.waitFor(() => expect(residentMb(child.pid)).toBeGreaterThan(5), 20_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(residentMb(child.pid)).toBeUndefined()
})

test('a process that yields runs at a low priority', () => {
  const child = run('setInterval(() => {}, 1000)')
  lowerPriority(child.pid)
  expect(getPriority(child.pid)).toBeGreaterThan(0)
})

test.runIf(process.platform === 'linux')(
  'every thread of a process that yields does, the running ones too',
  async () => {
    const child = run("for (let i = 0; i < 4; i++) require('crypto').pbkdf2('', '', 1e9, 9, 'sha1', () => {})")
    const threads = () => readdirSync(`/proc/${child.pid}/task`).map(Number)
    await vi.waitFor(() => expect(threads().length).toBeGreaterThan(5), 10_000)
    lowerPriority(child.pid)
    expect(new Set(threads().map(thread => getPriority(thread)))).toEqual(new Set([constants.priority.PRIORITY_LOW]))
  },
)

const hasSessionGroups = existsSync('/proc/self/autogroup')

test.runIf(hasSessionGroups)('a session of its own yields as a whole, and ours stays as it is', async () => {
  const groupOf = (pid: number | 'self') => readFileSync(`/proc/${pid}/autogroup`, 'latin1')
  const ours = groupOf('self')
  const apart = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore', detached: true })
  started.push(apart)
  const pid = apart.pid ?? 0
  await vi.waitFor(() => expect(groupOf(pid)).not.toBe(ours), 10_000)
  // The kernel accepts one autogroup change per 100 ms from accounts other than root.
  await vi.waitFor(() => {
    lowerPriority(pid)
    expect(groupOf(pid)).toMatch(/ nice 19$/m)
  }, 10_000)
  lowerPriority(run('setInterval(() => {}, 1000)').pid)
  expect(groupOf('self')).toBe(ours)
})

test('a broken limit reads as a sentence', () => {
  const limits = { memoryMb: 700, timeoutMs: 300_000 }
  expect(limitError('time', limits).message).toBe('Processing was stopped because it took longer than 5 minutes.')
  expect(limitError('memory', limits).message).toBe(
    'Processing was stopped because it needed more than 700 MB of memory.',
  )
  expect(limitError('memory', limits).isRetryable).toBe(false)
})
