import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createApp } from '#server/app.ts'
import { freePort } from './free-port.ts'
import type { Library, SignedIn } from './library.ts'
import { type Visitor, visitor } from './visitor.ts'

export interface AnotherServer {
  readonly url: URL
  readonly dataFolder: string
  /** The same person with the same session, on this server. */
  as(person: SignedIn): Visitor
  close(): Promise<void>
}

/** A second server of the same library, on the same Postgres, until the end of the test. */
export async function anotherServer(library: Library): Promise<AnotherServer> {
  if (!library.config.databaseUrl) throw new Error('SQLite serves one process')
  const dataFolder = await mkdtemp(join(tmpdir(), 'heirloom-another-server-'))
  const url = new URL(`http://127.0.0.1:${await freePort()}`)
  const config = { ...library.config, dataFolder, port: Number(url.port), publicUrl: url }
  const app = await createApp(config, { clock: library.now, logTo: { write: () => {} } })
  await app.http.listen({ host: config.host, port: config.port })
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= app.close().then(() => rm(dataFolder, { recursive: true, force: true }))
    return closed
  }
  onTestFinished(close)
  return { url, dataFolder, as: ({ token }) => visitor(url, token), close }
}
