import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { serverArguments } from '../../scripts/lib/project.mjs'
import { freePort } from '../../server/test/free-port.ts'

export interface LibraryServer {
  url: string
  /** Where its data lies. */
  dataFolder: string
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same data, at the same address. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

const endWithParent = new URL('../../scripts/lib/end-with-parent.mjs', import.meta.url).href

/** The product as a family runs it: its own process and data folder, SQLite and the demo people. */
export async function startServer(environment: Record<string, string> = {}): Promise<LibraryServer> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-e2e-'))
  const dataFolder = join(folder, 'data')
  const port = await freePort()
  const start = () =>
    startProcess(folder, {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: String(port),
      DATA_DIR: dataFolder,
      HOME_TIMEZONE: 'UTC',
      ...environment,
    })
  let end = await start()
  return {
    url: `http://127.0.0.1:${port}`,
    dataFolder,
    kill: () => end('SIGKILL'),
    startAgain: async () => {
      end = await start()
    },
    stop: async () => {
      await end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves, once it is ready, to what ends it. */
async function startProcess(
  folder: string,
  env: Record<string, string | undefined>,
): Promise<(signal: NodeJS.Signals) => Promise<void>> {
  const server = spawn(process.execPath, ['--import', endWithParent, ...serverArguments], {
    // Away from anybody's own .env and settings.
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(server, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    server.kill(signal)
    await ended
  }
  const ready = new Promise<boolean>(resolve => {
    createInterface({ input: server.stdout ?? Readable.from([]) })
      .on('line', line => line.includes('is ready at') && resolve(true))
      .on('close', () => resolve(false))
  })
  if (await ready) return end
  await end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
  throw new Error('The server did not start: see what it said above.')
}
