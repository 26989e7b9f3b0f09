import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { connect, sqliteFile } from '#server/db/database.ts'
import { limitNewFiles } from '#server/file-access.ts'
import { insertPhotos, type PhotoToInsert } from './insert-photos.ts'

/** The response to every request has its id, once it is done or has failed. */
export type HostRequest = { id: number } & (
  | { action: 'start'; port: string; environment: Record<string, string>; trustedPushOrigin: string | undefined }
  | { action: 'insertPhotos'; dataFolder: string; photos: PhotoToInsert[] }
  | { action: 'stop'; port: string }
)
export type HostReply = { id: number; failure?: string }

// The program of the process that `openServerHost` starts.

const apps = new Map<string, App>()

async function handle(request: HostRequest): Promise<void> {
  if (request.action === 'start') return start(request)
  if (request.action === 'insertPhotos') return insertPhotos(request.dataFolder, request.photos)
  // As in main.ts: a shutdown that takes too long ends with the process. The next library starts another one.
  const timeout = setTimeout(() => process.exit(1), 4_500)
  await apps.get(request.port)?.close()
  apps.delete(request.port)
  clearTimeout(timeout)
}

type Start = Extract<HostRequest, { action: 'start' }>

async function start({ port, environment, trustedPushOrigin }: Start): Promise<void> {
  const config = readConfig(environment)
  limitNewFiles(config.fileAccess)
  if (!config.databaseUrl) await placeMigratedDatabase(config)
  const app = await createApp(config, trustedPushOrigin === undefined ? {} : { trustedPushOrigin })
  await app.http.listen({ host: config.host, port: config.port })
  apps.set(port, app)
}

let template: Promise<Buffer> | undefined

/** A new library begins with a copy, because migrating takes a fifth of the time of a start. */
async function placeMigratedDatabase({ dataFolder }: Config): Promise<void> {
  const file = sqliteFile(dataFolder)
  if (existsSync(file)) return
  template ??= migratedDatabase()
  await mkdir(dataFolder, { recursive: true })
  await writeFile(file, await template, { mode: 0o600 })
}

async function migratedDatabase(): Promise<Buffer> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'heirloom-e2e-template-'))
  const database = await connect({ url: undefined, dataFolder })
  await database.close()
  const bytes = await readFile(sqliteFile(dataFolder))
  await rm(dataFolder, { recursive: true })
  return bytes
}

// Between two libraries nothing else keeps the process alive.
process.channel?.ref()
process.on('message', (request: HostRequest) => {
  const { id } = request
  const reply = (message: HostReply) => process.send?.(message)
  handle(request).then(
    () => reply({ id }),
    error => reply({ id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
