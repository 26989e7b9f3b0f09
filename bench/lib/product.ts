import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serverArguments, serverEnvironment } from '../../scripts/lib/project.mjs'
import { Browser } from '../../server/test/browser.ts'
import { freePort } from '../../server/test/free-port.ts'

/** The product in its own process, on loopback, with the demo accounts. */
export interface Product {
  url: string
  folder: string
  /** Milliseconds from the start of the process to its first response. */
  startMs: number
  /** A session's token. */
  signIn(person?: string): Promise<string>
  /** Resident memory of the server and its child processes, in MB. */
  memoryMb(): Promise<number>
  /** CPU seconds of the server and its child processes. */
  busySeconds(): Promise<number>
  stop(): Promise<void>
}

export async function startProduct(options: { folder?: string; env?: Record<string, string> } = {}): Promise<Product> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'heirloom-bench-')))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, serverArguments, {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder, ...serverEnvironment, ...options.env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error('The server did not start')
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  return {
    url,
    folder,
    startMs: performance.now() - began,
    signIn: person => signIn(url, person),
    memoryMb: () => overTree(child.pid ?? 0, residentMb),
    busySeconds: () => overTree(child.pid ?? 0, busySeconds),
    async stop() {
      await end(child)
      if (!options.folder) await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A server that has just started still prepares seeded files and sends events for them. */
export async function untilQuiet(product: Product): Promise<void> {
  for (let busy = Number.POSITIVE_INFINITY, before = 0; busy > 0.05; ) {
    await new Promise(resolve => setTimeout(resolve, 1_000))
    const now = await product.busySeconds()
    busy = now - before
    before = now
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/auth/settings`).then(
    answer => answer.ok,
    () => false,
  )
}

export async function signIn(url: string, person = 'ada'): Promise<string> {
  const browser = new Browser(null)
  const choose = await browser.follow(`${url}/auth/google`)
  const done = await browser.follow(choose, address => address.pathname === '/auth/callback', {
    method: 'POST',
    body: new URLSearchParams({ person }),
  })
  const token = done.searchParams.get('token')
  if (!token) throw new Error('The sign-in gave no token')
  return token
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function overTree(pid: number, measure: (pid: number) => Promise<number>): Promise<number> {
  const own = await measure(pid)
  const children = await childrenOf(pid)
  const below = await Promise.all(children.map(child => overTree(child, measure)))
  return own + below.reduce((sum, value) => sum + value, 0)
}

/** Clock ticks per second in /proc/PID/stat. */
const TICKS_PER_SECOND = 100

/** Includes children that have ended. */
async function busySeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / TICKS_PER_SECOND
}

export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    tasks.map(task => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap(list => list.split(' ').filter(Boolean).map(Number))
}
