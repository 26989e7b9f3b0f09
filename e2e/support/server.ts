import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serverArguments } from '../../scripts/lib/project.mjs'
import { freePort } from '../../server/test/free-port.ts'
import type { PhotoToInsert } from './insert-photos.ts'
import type { HostReply, HostRequest } from './server-host.ts'

export interface LibraryServer {
  url: string
  dataFolder: string
  /** Kills the process without a shutdown, as a power cut would. */
  kill(): Promise<void>
  /** Starts it again on the same data, at the same address. */
  startAgain(): Promise<void>
  stop(): Promise<void>
}

/**
 * Runs the libraries of one Playwright worker, each with its own data folder, database and port, in one process that has
 * the server's code loaded and compiled already. It is started when it is first needed and again after it was killed.
 */
export interface ServerHost {
  /** The product as a family runs it: SQLite and the demo people, unless the settings say otherwise. */
  startServer(environment?: Record<string, string>, trustedPushOrigin?: string): Promise<LibraryServer>
  /** Stores photos without an upload: see `insertPhotos`. */
  insertPhotos(library: LibraryServer, photos: PhotoToInsert[]): Promise<void>
  close(): Promise<void>
}

/** Every library leaves a little memory and a few listeners behind in its process. */
const LIBRARIES_PER_PROCESS = 25

export function openServerHost(): ServerHost {
  let host: HostProcess | undefined
  let started = 0
  let open = 0
  const running = () => {
    if (!host?.isRunning()) {
      host = startHostProcess()
      started = 0
    }
    return host
  }
  return {
    async startServer(environment = {}, trustedPushOrigin) {
      const folder = await mkdtemp(join(tmpdir(), 'heirloom-e2e-'))
      const dataFolder = join(folder, 'data')
      const port = String(await freePort())
      // All settings are given here: a `.env` or the environment of the machine must not change a test.
      const settings = { ...programPath(), PORT: port, DATA_DIR: dataFolder, HOME_TIMEZONE: 'UTC', ...environment }
      if (open === 0 && started >= LIBRARIES_PER_PROCESS) await host?.end('SIGTERM')
      const startAgain = () => running().send({ action: 'start', port, environment: settings, trustedPushOrigin })
      await startAgain()
      started += 1
      open += 1
      return {
        url: `http://127.0.0.1:${port}`,
        dataFolder,
        kill: async () => host?.end('SIGKILL'),
        startAgain,
        stop: async () => {
          open -= 1
          if (host?.isRunning()) await host.send({ action: 'stop', port })
          await rm(folder, { recursive: true, force: true })
        },
      }
    },
    insertPhotos: ({ dataFolder }, photos) => running().send({ action: 'insertPhotos', dataFolder, photos }),
    close: async () => host?.end('SIGTERM'),
  }
}

/** Without it the server finds no ffmpeg and no sandbox. */
function programPath() {
  return { PATH: process.env.PATH ?? '' }
}

interface HostProcess {
  isRunning(): boolean
  /** Resolves once the request is done. A library also counts as stopped when the process has ended. */
  send(request: WithoutId<HostRequest>): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
}

type WithoutId<Request> = Request extends HostRequest ? Omit<Request, 'id'> : never

const endWithParent = new URL('../../scripts/lib/end-with-parent.mjs', import.meta.url).href

function startHostProcess(): HostProcess {
  const program = fileURLToPath(new URL('server-host.ts', import.meta.url))
  const nodeOptions = ['--import', endWithParent, ...serverArguments.slice(0, -1)]
  const child = spawn(process.execPath, [...nodeOptions, program], {
    cwd: tmpdir(),
    env: { ...programPath(), TMPDIR: tmpdir(), NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  let lastId = 0
  return {
    isRunning: () => child.connected && child.exitCode === null && child.signalCode === null,
    async send(request) {
      const id = ++lastId
      const replied = new Promise<HostReply>(resolve => {
        const onMessage = (reply: HostReply) => {
          if (reply.id !== id) return
          child.off('message', onMessage)
          resolve(reply)
        }
        child.on('message', onMessage)
      })
      child.send({ id, ...request })
      const reply = await Promise.race([replied, ended])
      const failure = 'id' in reply ? reply.failure : request.action !== 'stop' && 'its process ended'
      if (failure) throw new Error(`The server process failed to ${request.action}: ${failure}`)
    },
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}
