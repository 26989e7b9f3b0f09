import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'

/** Resources that no program reading untrusted files may access. */
export interface Targets {
  readonly database: string
  readonly dataFolder: string
  /** A local port and socket that something listens on. */
  readonly port: number
  readonly socket: string
  readonly newFile: string
  readonly serverPid: number
}

/** Tries everything that the sandbox must prevent. Returns the names of what succeeded. */
export async function tryEverything(targets: Targets): Promise<string[]> {
  const { database, dataFolder, port, socket, newFile, serverPid } = targets
  const attempts: Record<string, () => unknown> = {
    'read the database': () => readFileSync(database),
    'list the data folder': () => readdirSync(dataFolder).length > 0 || fail(),
    'write a file': () => writeFileSync(newFile, 'written'),
    'write a temporary file': () => writeFileSync('/tmp/heirloom-written-from-the-sandbox', ''),
    "read the server's environment": () => readFileSync(`/proc/${serverPid}/environ`),
    'signal the server': () => process.kill(serverPid, 'SIGCONT'),
    'connect to a port': () => connected({ port, host: '127.0.0.1' }),
    'connect to a socket': () => connected({ path: socket }),
    'connect to an abstract socket': () => connected({ path: `\0${socket}` }),
    'read the accounts of the machine': () => readFileSync('/etc/passwd'),
  }
  const succeeded: string[] = []
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt()
      succeeded.push(name)
    } catch {
      // Expected: the sandbox prevented it.
    }
  }
  return succeeded
}

function connected(where: NetConnectOpts): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(where)
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}

function fail(): never {
  throw new Error('There is nothing to see.')
}
