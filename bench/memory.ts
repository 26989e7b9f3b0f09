/**
 * Memory of `npm start` with all its processes: shortly after the start, when it has been idle, and after the gallery of a
 * large library was read from end to end; beside a bare server (Fastify and node:sqlite) that answers the same bytes.
 * FILES and IDLE_SECONDS set other numbers; FOLDER uses (and keeps) a library that was seeded before.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inProject } from '../scripts/lib/project.mjs'
import { freePort } from '../server/test/free-port.ts'
import { signIn } from './lib/product.ts'
import { line, quantile } from './lib/report.ts'
import { ownMemoryMb, processTree, treeMemoryMb } from './lib/tree-memory.ts'

const FILES = Number(process.env.FILES ?? 100_000)
const IDLE_MS = Number(process.env.IDLE_SECONDS ?? 300) * 1_000
const PAGE = 200
const cli = fileURLToPath(new URL('../server/src/cli/main.ts', import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'heirloom-memory-'))
const library = process.env.FOLDER ?? join(folder, 'large')
try {
  await measureIdle()
  if (process.env.FOLDER === undefined) seed()
  await measureWalk()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measureIdle(): Promise<void> {
  const { url, pid, stop } = await start('npm', ['start'], join(folder, 'empty'))
  try {
    await fetch(url)
    await pause(3_000)
    console.log(`shortly after the first start: ${(await treeMemoryMb(pid)).toFixed(0)} MB`)
    await pause(IDLE_MS)
    const all = await treeMemoryMb(pid)
    line(`idle for ${IDLE_MS / 1_000} s, all processes`, `${all.toFixed(0)} MB`, '160 MB', all <= 160)
    for (const [name, mb] of await ownMemory(pid)) console.log(`  of its own, ${name}: ${mb.toFixed(0)} MB`)
  } finally {
    await stop()
  }
}

/** npm, its shell, the launcher and the server, in this order. */
async function ownMemory(pid: number): Promise<[string, number][]> {
  const names = ['npm', 'its shell', 'the launcher', 'the server']
  const sizes = await Promise.all((await processTree(pid)).map(ownMemoryMb))
  return sizes.map((mb, index) => [names[index] ?? 'another process', mb])
}

async function measureWalk(): Promise<void> {
  const { url, pid, stop } = await start('npm', ['start'], library)
  let bytes = 0
  try {
    const headers = { authorization: `Bearer ${await signIn(url)}` }
    const times: number[] = []
    for (let offset = 0; offset < FILES; offset += PAGE) {
      const began = performance.now()
      const answer = await fetch(`${url}/api/media/grid?offset=${offset}&limit=${PAGE}`, { headers })
      bytes = Math.max(bytes, (await answer.arrayBuffer()).byteLength)
      times.push(performance.now() - began)
    }
    const all = await treeMemoryMb(pid)
    const bare = await bareServerMb(bytes)
    const what = `after reading all ${FILES.toLocaleString('en')} files, all processes`
    const ratio = `${(all / bare).toFixed(1)} × a bare server (${bare.toFixed(0)} MB)`
    line(what, `${all.toFixed(0)} MB, ${ratio}`, '300 MB', all <= 300)
    const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)]
    line(`a page of ${PAGE}`, `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`, 'p50 5 ms', p50 <= 5)
  } finally {
    await stop()
  }
}

/** The baseline, after as many answers of as many bytes. */
async function bareServerMb(bytes: number): Promise<number> {
  const program = `
    import { DatabaseSync } from 'node:sqlite'
    import Fastify from 'fastify'
    const query = new DatabaseSync(':memory:').prepare('select ? as answer')
    const app = Fastify()
    app.get('/*', async () => query.get('x'.repeat(${bytes})))
    await app.listen({ port: Number(process.env.PORT) })`
  const { url, pid, stop } = await start(process.execPath, ['--input-type=module', '-e', program], folder)
  try {
    for (let page = 0; page < FILES / PAGE; page++) await (await fetch(url)).arrayBuffer()
    return await treeMemoryMb(pid)
  } finally {
    await stop()
  }
}

async function start(command: string, args: string[], dataFolder: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(command, args, {
    cwd: inProject(),
    env: { ...process.env, PORT: String(port), DATA_DIR: dataFolder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(url))) {
    if (child.exitCode !== null) throw new Error(`${command} did not start`)
    await pause(50)
  }
  return { url, pid: child.pid ?? 0, stop: () => end(child) }
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    answer => answer.ok,
    () => false,
  )
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

function seed(): void {
  execFileSync(process.execPath, [cli, 'seed', '.', '--count', String(FILES), '--pictures', '20', '--rows-only'], {
    env: { ...process.env, DATA_DIR: library },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
