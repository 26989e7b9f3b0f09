import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { startSession } from '#server/auth/sessions.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/database.ts'
import { insertPerson } from '#server/people/people.sql.ts'
import type { Storage } from '#server/storage/storage.ts'
import { databaseRows, type Row } from '../database-rows.ts'
import { storageOf } from '../fixtures/remains.ts'
import { freePort } from '../free-port.ts'
import type { Engine } from '../library.ts'
import { createDatabase } from '../postgres.ts'
import { type Visitor, visitor } from '../visitor.ts'

/** The data of a server, which survives its restarts. */
export interface ServerData {
  dataFolder: string
  databaseUrl: string | undefined
  /** Additional environment variables of every server here. */
  environment: Record<string, string>
  /** The storage, opened directly. */
  storage: Storage
  /** An admin's session token, valid on every server here. */
  token: string
  /** Queries or changes the database directly, bypassing the product. */
  rows(query: string): Promise<Row[]>
}

/** The real program in a separate process, as in production. */
export interface ServerProcess {
  ada: Visitor
  url: URL
  /** Its current memory, without its decoders. */
  residentMb(): Promise<number>
  /** Kills it (SIGKILL), like a power failure. */
  kill(): Promise<void>
  /** Ends it with SIGTERM and waits. */
  stop(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** An empty data folder and database with one admin, removed after the test. */
export async function newServerData(
  engine: Engine,
  folder?: string,
  environment: Record<string, string> = {},
  postgresUrl?: string,
): Promise<ServerData> {
  const dataFolder = folder ?? (await mkdtemp(join(tmpdir(), 'heirloom-faults-')))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const postgres = engine === 'postgres' ? await createDatabase(postgresUrl ?? inject('postgresUrl')) : undefined
  if (postgres) onTestFinished(postgres.drop)
  const databaseUrl = postgres?.url
  const db = await connect({ url: databaseUrl, dataFolder })
  const token = await db
    .transaction(async tx => {
      const ada = await insertPerson(tx, {
        issuer: 'http://127.0.0.1',
        subject: 'ada',
        email: 'ada@example.org',
        username: 'ada',
        name: 'Ada',
        role: 'admin',
        status: 'approved',
        requested_at: Date.now(),
      })
      return startSession({ db, clock: Date.now }, tx, ada?.id ?? 0)
    })
    .finally(() => db.close())
  const rows = (query: string) => databaseRows(postgres ?? { file: join(dataFolder, 'heirloom.db') }, query)
  const storage = await storageOf({ config: readConfig({ ...environment, DATA_DIR: dataFolder }) })
  return { dataFolder, databaseUrl, environment, storage, token, rows }
}

/** Resolves when it responds. */
export async function startServer(
  serverData: ServerData,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const port = settings.PORT ?? (await freePort())
  const environment = {
    PATH: process.env.PATH,
    FFMPEG_PATH: process.env.FFMPEG_PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    DATA_DIR: serverData.dataFolder,
    DATABASE_URL: serverData.databaseUrl,
    // Nobody signs in: the session was created before.
    OIDC_ISSUER: 'http://127.0.0.1',
    OIDC_CLIENT_ID: 'none',
    OIDC_CLIENT_SECRET: 'none',
    LOG_LEVEL: 'error',
    ...serverData.environment,
    ...settings,
  }
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: serverData.dataFolder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  // The folder is removed next, so nothing may write into it any more.
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-10_000)
    })
  }
  const ready = new Promise<void>(resolve => {
    child.stdout.on('data', () => output.includes(' is ready at ') && resolve())
  })
  await Promise.race([ready, exited])
  if (child.exitCode !== null) throw new Error(`The server did not start:\n${output}`)
  const url = new URL(`http://127.0.0.1:${port}`)
  return {
    url,
    ada: visitor(url, serverData.token),
    async residentMb() {
      const status = await readFile(`/proc/${child.pid}/status`, 'latin1')
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
