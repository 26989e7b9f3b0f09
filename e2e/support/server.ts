import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/test/free-port.ts'

export interface LibraryServer {
  url: string
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const endWithParent = new URL('../../scripts/lib/end-with-parent.mjs', import.meta.url).href

/** The product as a family runs it: its own process and data folder, SQLite and the demo people. */
export async function startServer(environment: Record<string, string> = {}): Promise<LibraryServer> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-e2e-'))
  const port = await freePort()
  const server = spawn(process.execPath, ['--import', endWithParent, program], {
    // Away from anybody's own .env and settings.
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: String(port), DATA_DIR: join(folder, 'data'), ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const ready = new Promise<boolean>(resolve => {
    createInterface({ input: server.stdout ?? Readable.from([]) })
      .on('line', line => line.includes('is ready at') && resolve(true))
      .on('close', () => resolve(false))
  })
  if (!(await ready)) {
    await stop()
    throw new Error('The server did not start: see what it said above.')
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}
