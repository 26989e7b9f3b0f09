import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { serverArguments } from '../../scripts/lib/project.mjs'
import { freePort } from '../../server/test/free-port.ts'
import type { PhotoToPlant } from './plant-photos.ts'
import type { HostOrder, HostReply } from './server-host.ts'

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

/** Runs libraries in one process, which is started when it is first needed and again after it was killed. */
export interface ServerHost {
  startServer(environment?: Record<string, string>): Promise<LibraryServer>
  /** Photos that are there from the beginning: see `plantPhotos`. */
  plant(library: LibraryServer, photos: PhotoToPlant[]): Promise<void>
  close(): Promise<void>
}

const endWithParent = new URL('../../scripts/lib/end-with-parent.mjs', import.meta.url).href

/** The product as a family runs it: its own process and data folder, SQLite and the demo people. */
export async function startServer(environment: Record<string, string> = {}): Promise<LibraryServer> {
  const place = await newPlace(environment)
  const start = () => startProcess(place.folder, { ...processEnvironment(), ...place.environment })
  let end = await start()
  return {
    ...place,
    kill: () => end('SIGKILL'),
    startAgain: async () => {
      end = await start()
    },
    stop: async () => {
      await end('SIGTERM')
      await rm(place.folder, { recursive: true, force: true })
    },
  }
}

/** The same, but each library in a process that has its code loaded already. To kill one is to kill the process. */
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
    async startServer(environment = {}) {
      const place = await newPlace(environment)
      const { port } = new URL(place.url)
      // Every library leaves a little behind in its process, such as what measures the event loop.
      if (open === 0 && started >= LIBRARIES_PER_PROCESS) await host?.end('SIGTERM')
      const startAgain = () => running().send({ act: 'start', port, environment: place.environment })
      await startAgain()
      started += 1
      open += 1
      return {
        ...place,
        kill: async () => host?.end('SIGKILL'),
        startAgain,
        stop: async () => {
          open -= 1
          if (host?.isRunning()) await host.send({ act: 'stop', port })
          await rm(place.folder, { recursive: true, force: true })
        },
      }
    },
    plant: ({ dataFolder }, photos) => running().send({ act: 'plant', dataFolder, photos }),
    close: async () => host?.end('SIGTERM'),
  }
}

const LIBRARIES_PER_PROCESS = 25

/** An address and a folder of a library's own, and the settings that follow. */
async function newPlace(environment: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-e2e-'))
  const dataFolder = join(folder, 'data')
  const port = await freePort()
  const settings = { PORT: String(port), DATA_DIR: dataFolder, HOME_TIMEZONE: 'UTC', ...environment }
  return { url: `http://127.0.0.1:${port}`, folder, dataFolder, environment: settings }
}

/** Nothing of anybody's own settings. */
function processEnvironment() {
  return { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
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

type WithoutId<Order> = Order extends HostOrder ? Omit<Order, 'id'> : never

interface HostProcess {
  isRunning(): boolean
  /** Resolves once it is done. To stop a library is also done when the process has ended. */
  send(order: WithoutId<HostOrder>): Promise<void>
  end(signal: NodeJS.Signals): Promise<void>
}

function startHostProcess(): HostProcess {
  const program = fileURLToPath(new URL('server-host.ts', import.meta.url))
  const options = ['--import', endWithParent, ...serverArguments.slice(0, -1)]
  const child = spawn(process.execPath, [...options, program], {
    cwd: tmpdir(),
    env: processEnvironment(),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const isRunning = () => child.exitCode === null && child.signalCode === null
  let lastId = 0
  return {
    isRunning,
    async send(order) {
      const id = ++lastId
      const replied = new Promise<HostReply>(resolve => {
        const onMessage = (reply: HostReply) => {
          if (reply.id !== id) return
          child.off('message', onMessage)
          resolve(reply)
        }
        child.on('message', onMessage)
      })
      child.send({ id, ...order })
      const reply = await Promise.race([replied, ended])
      const failure = 'id' in reply ? reply.failure : order.act !== 'stop' && 'its process ended'
      if (failure) throw new Error(`The process of the servers could not ${order.act}: ${failure}`)
    },
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}
