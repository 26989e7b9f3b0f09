import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'

const script = `
  import { main, run } from '${new URL('run.mjs', import.meta.url).href}'
  const program = run(process.execPath, ['-e', process.env.PROGRAM], { endsWithUs: true })
  await main(async () => (await program).code)
`

const started: ChildProcessByStdio<null, Readable, null>[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Runs a program as `npm start` runs the server, in its own process group, as in a terminal. */
function start(program: string, [command, ...args]: [string, ...string[]] = [process.execPath]) {
  const child = spawn(command, [...args, '--input-type=module', '-e', script], {
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
