import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'

const runModule = new URL('run.mjs', import.meta.url).href
const script = `
  import { main, run } from '${runModule}'
  const program = run(process.execPath, ['-e', process.env.PROGRAM], { endsWithUs: true })
  await main(async () => (await program).code)
`

const started: ChildProcessByStdio<null, Readable, null>[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Runs a program as `npm start` runs the server, in its own process group, as in a terminal. */
function start(program: string, [command, ...args]: [string, ...string[]] = [process.execPath], starter = script) {
  const child = spawn(command, [...args, '--input-type=module', '-e', starter], {
    env: {
      ...process.env,
      npm_lifecycle_event: 'start',
      PROGRAM: `setInterval(() => {}, 1000); ${program}; console.log('ready')`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  started.push(child)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  /** Undefined once every process with access to stdout has ended. */
  const nextLine = async (): Promise<string | undefined> => (await lines.next()).value
  return { child, pid: child.pid ?? 0, nextLine, exit: once(child, 'exit') }
}

const tidyEnd = `
  let signals = 0
  const end = () => setTimeout(() => { console.log('signals: ' + signals); process.exit(7) }, 500)
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => ++signals === 1 && end())
`

test('the program gets one signal, though a terminal and npm send two, and its exit code is ours', async () => {
  const { pid, nextLine, exit } = start(tidyEnd)
  await nextLine()
  process.kill(-pid, 'SIGINT')
  process.kill(pid, 'SIGINT')
  expect(await nextLine()).toBe('signals: 1')
  expect(await exit).toEqual([7, null])
})

test('the program ends when npm is stopped, although its shell does not pass on the signal', async () => {
  const { child, nextLine } = start(tidyEnd, ['sh', '-c', '"$@"; true', 'sh', process.execPath])
  await nextLine()
  child.kill('SIGTERM')
  expect(await nextLine()).toBe('signals: 1')
})

test('a program that does not end when asked is killed within five seconds', async () => {
  const { child, nextLine, exit } = start(`process.on('SIGTERM', () => {})`)
  await nextLine()
  const asked = performance.now()
  child.kill('SIGTERM')
  expect((await exit)[0]).toBe(128 + 9)
  if (process.env.LONG) expect(performance.now() - asked).toBeLessThan(5_000)
  expect(await nextLine()).toBeUndefined()
})

test('the program ends tidily even when the script that started it is killed outright', async () => {
  const { child, nextLine } = start(tidyEnd)
  await nextLine()
  child.kill('SIGKILL')
  expect(await nextLine()).toBe('signals: 1')
})

test('a program that does not end then is killed as well', async () => {
  const { child, nextLine } = start(`process.on('SIGTERM', () => {})`)
  await nextLine()
  child.kill('SIGKILL')
  expect(await nextLine()).toBeUndefined()
})

test('what the program leaves running ends with it', async () => {
  const { nextLine, exit } = start(`
    require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' })
    setTimeout(() => process.exit(0), 100)
  `)
  expect(await nextLine()).toBe('ready')
  expect(await exit).toEqual([0, null])
  expect(await nextLine()).toBeUndefined()
})

describe('a program that is supervised', () => {
  const supervisor = (firstMs: number) => `
    import { main, supervise } from '${runModule}'
    console.error = console.log
    const delays = { firstMs: ${firstMs}, maxMs: 2 * ${firstMs}, resetAfterMs: 60_000 }
    await main(() => supervise(process.execPath, ['-e', process.env.PROGRAM], { delays }))
  `
  const startSupervised = (program: string, firstMs = 10) => start(program, undefined, supervisor(firstMs))
  const becomesReady = `console.log(process.pid); process.send('ready')`

  test('is started again each time it crashes, until it is stopped', async () => {
    const { child, nextLine, exit } = startSupervised(`${becomesReady}; process.on('SIGTERM', () => process.exit(0))`)
    for (const signal of ['SIGABRT', 'SIGKILL', 'SIGKILL'] as const) {
      const pid = Number(await nextLine())
      expect(await nextLine()).toBe('ready')
      process.kill(pid, signal)
      expect(await nextLine()).toContain('The server ended unexpectedly')
    }
    await nextLine()
    expect(await nextLine()).toBe('ready')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(await nextLine()).toBeUndefined()
  })

  test('is not started again if it never worked, since its settings are wrong', async () => {
    const { nextLine, exit } = startSupervised('process.exit(3)')
    expect(await nextLine()).toBeUndefined()
    expect(await exit).toEqual([3, null])
  })

  test('is not started again if we are stopped while waiting', async () => {
    const { child, nextLine, exit } = startSupervised(`${becomesReady}; setTimeout(process.exit, 50, 134)`, 60_000)
    await nextLine()
    expect(await nextLine()).toBe('ready')
    expect(await nextLine()).toBe('The server ended unexpectedly (exit code 134). It is started again in 60 s.')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
  })
})
