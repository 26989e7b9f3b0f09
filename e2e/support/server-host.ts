import { type App, createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { limitNewFiles } from '#server/file-access.ts'
import { type PhotoToPlant, plantPhotos } from './plant-photos.ts'

/** What the process is asked to do; it replies with the same id once that is done or has failed. */
export type HostOrder = { id: number } & (
  | { act: 'start'; port: string; environment: Record<string, string> }
  | { act: 'plant'; dataFolder: string; photos: PhotoToPlant[] }
  | { act: 'stop'; port: string }
)
export type HostReply = { id: number; failure?: string }

// The program of a process that runs the libraries of one Playwright worker, each with its own data folder, database and
// port. Loading and warming up the code takes longer than most tests, so it happens once per worker.

const apps = new Map<string, App>()

async function carryOut(order: HostOrder): Promise<void> {
  if (order.act === 'start') return start(order.port, order.environment)
  if (order.act === 'plant') return plantPhotos(order.dataFolder, order.photos)
  // As in main.ts: whatever does not end in time ends with the process. The next library starts a new one.
  const timeout = setTimeout(() => process.exit(1), 4_500)
  await apps.get(order.port)?.close()
  apps.delete(order.port)
  clearTimeout(timeout)
}

async function start(port: string, environment: Record<string, string>): Promise<void> {
  const config = readConfig(environment)
  limitNewFiles(config.fileAccess)
  const app = await createApp(config)
  await app.http.listen({ host: config.host, port: config.port })
  apps.set(port, app)
}

process.on('message', (order: HostOrder) => {
  const { id } = order
  const reply = (message: HostReply) => process.send?.(message)
  carryOut(order).then(
    () => reply({ id }),
    error => reply({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
