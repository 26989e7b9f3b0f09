import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findProgram } from '../child-process.ts'
import type { Exchange } from './exchange.ts'
import { fullSandbox, noSandbox, partialSandbox, type Sandbox } from './sandbox.ts'
import { syscallFilter } from './syscall-filter.ts'

export const sandboxModes = ['auto', 'require', 'off'] as const
export type SandboxMode = (typeof sandboxModes)[number]

export interface SandboxOptions {
  /** `auto` uses the best level that works here; `require` fails unless that is the full one. */
  readonly mode: SandboxMode
  /** For exchanging files with the sandbox, best on the same disk as the library. */
  readonly folder: string
  /** Folders that must be hidden from programs in the sandbox. */
  readonly hidden: readonly string[]
  /** The PATH variable. */
  readonly searchPath: string | undefined
}

export interface OpenSandbox {
  readonly sandbox: Sandbox
  /** For admins and the log: what is not confined, and why. Undefined at the full level. */
  readonly warning: string | undefined
}

/** SANDBOX=require, and the full level does not work here. */
export class SandboxUnavailable extends Error {
  constructor(reason: string) {
    super(`SANDBOX is "require", but the sandbox does not work here: ${reason}`)
    this.name = 'SandboxUnavailable'
  }
}

/** Finds the best level that works on this machine by running a test program. */
export async function openSandbox(options: SandboxOptions): Promise<OpenSandbox> {
  const { mode, folder } = options
  if (mode === 'off') return { sandbox: noSandbox, warning: `${UNCONFINED} The setting SANDBOX is "off".` }
  const problem = await tryFullSandbox(options)
  if (typeof problem !== 'string') return { sandbox: problem, warning: undefined }
  if (mode === 'require') throw new SandboxUnavailable(problem)
  const partial = partialSandbox(folder)
  const failure = await testSandbox(partial, folder, 'files')
  if (failure === undefined) return { sandbox: partial, warning: `${PARTLY_CONFINED} ${problem}` }
  return { sandbox: noSandbox, warning: `${UNCONFINED} ${problem}` }
}

const UNCONFINED =
  'The programs that read photos and videos run without a sandbox: a hostile file that takes over one of them could reach the whole library and the network.'
const PARTLY_CONFINED =
  'The programs that read photos and videos run in a partial sandbox: ffmpeg, exiftool and native decoders are not confined, and nothing is cut off from the network.'

/** The full sandbox, or a sentence that says why it does not work. */
async function tryFullSandbox({ folder, hidden, searchPath = '' }: SandboxOptions): Promise<Sandbox | string> {
  if (process.platform !== 'linux') return 'The full sandbox needs Linux.'
  // Needed to limit the memory of programs inside bwrap.
  if (!existsSync(`/proc/${process.pid}/task/${process.pid}/children`))
    return 'This kernel does not list child processes.'
  const path = await findProgram('bwrap', searchPath)
  if (!path) return 'bubblewrap is not installed (on Debian and Ubuntu: apt-get install bubblewrap).'
  const filter = await openSyscallFilter(folder)
  let problem = ''
  // Without a filter last: a kernel may lack seccomp.
  for (const syscallFilter of new Set([filter, undefined])) {
    for (const disableUserNamespaces of [true, false]) {
      const sandbox = fullSandbox({ path, hidden, disableUserNamespaces, syscallFilter }, folder)
      const failure = await testSandbox(sandbox, folder, 'network')
      if (failure === undefined) return sandbox
      problem = `bubblewrap is installed but does not work here (${failure}).`
    }
    if (syscallFilter !== undefined) closeSync(syscallFilter)
  }
  return problem
}

/**
 * A file that has no name any more, so that nobody can replace or remove it. Undefined on a processor for which there is no
 * filter.
 */
async function openSyscallFilter(folder: string): Promise<number | undefined> {
  const filter = syscallFilter(process.arch)
  if (!filter) return undefined
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `system-calls-${process.pid}`)
  await writeFile(path, filter)
  const descriptor = openSync(path, 'r')
  await unlink(path)
  return descriptor
}

const TEST_TIMEOUT_MS = 30_000

/**
 * Runs a program that exchanges files like a decoder, then tries to access another folder and a network port. Returns what
 * went wrong, or undefined if it worked and was confined as expected.
 */
async function testSandbox(
  sandbox: Sandbox,
  folder: string,
  confines: 'files' | 'network',
): Promise<string | undefined> {
  await mkdir(folder, { recursive: true })
  const outside = await mkdtemp(join(folder, 'trial-'))
  const listener = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  const exchange = sandbox.openExchange()
  try {
    await once(listener, 'listening')
    const { port } = listener.address() as AddressInfo
    const outcome = exchange ? await runTestProgram(sandbox, exchange, [outside, String(port)]) : 'files'
    if (outcome === 'confined' || (outcome === 'network' && confines === 'files')) return undefined
    return `a test program could still access ${outcome === 'network' ? 'the network' : 'other files'}`
  } catch (error) {
    return lastLine(error)
  } finally {
    listener.close()
    await exchange?.remove()
    await rm(outside, { recursive: true, force: true })
  }
}

async function runTestProgram(sandbox: Sandbox, exchange: Exchange, rest: string[]): Promise<string> {
  await writeFile(join(exchange.inbox, 'input'), 'input')
  const program = fileURLToPath(new URL('self-test-program.ts', import.meta.url))
  const [file = '', ...args] = sandbox.worker(program, [], exchange)
  const { stdout } = await promisify(execFile)(file, [...args, exchange.inbox, exchange.outbox, ...rest], {
    env: {},
    timeout: TEST_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  return existsSync(join(exchange.outbox, 'output')) ? stdout : 'files'
}

function lastLine(error: unknown): string {
  const { stderr = '', message = '' } = error as { stderr?: string; message?: string }
  const lines = (stderr || message).trim().split('\n')
  const line = lines.find(text => /^(bwrap|Error|\w*Error):? /.test(text)) ?? lines.at(-1) ?? ''
  return line.replace(/\p{Cc}/gu, ' ').slice(0, 200)
}
