import { startSession } from '#server/auth/sessions.ts'
import { connect } from '#server/db/database.ts'
import { insertPerson } from '#server/people/people.sql.ts'
import { newServerData, type ServerData, type ServerProcess, startServer } from '../faults/server-process.ts'
import { freePort } from '../free-port.ts'
import { newBucket } from '../store.ts'
import { type Visitor, visitor } from '../visitor.ts'

const roles = ['web', 'web', 'uploads', 'worker', 'worker'] as const

export interface ClusterPerson extends Visitor {
  id: number
}

/** Two web servers, an uploads host and two workers on one database and one bucket, as behind a reverse proxy. */
export interface Cluster {
  serverData: ServerData
  members: readonly { role: string; process: ServerProcess }[]
  /** Calls the servers that serve a path in turn. */
  ada: Visitor
  /** A new approved person with a session. */
  newPerson(username: string): Promise<ClusterPerson>
  /** Kills a server (SIGKILL), like a power failure. */
  kill(member: number): Promise<void>
  /** Restarts a killed server at its old address. */
  revive(member: number): Promise<void>
  stop(): Promise<void>
}

export async function startCluster(settings: Record<string, string> = {}): Promise<Cluster> {
  const serverData = await newServerData('postgres', undefined, { ...newBucket(), ...settings })
  const ports = await Promise.all(roles.map(freePort))
  const publicUrl = `http://127.0.0.1:${ports[0]}`
  const settingsOf = (member: number) => ({
    ROLE: roles[member] ?? 'web',
    PORT: String(ports[member]),
    PUBLIC_URL: publicUrl,
    UPLOADS_URL: `http://127.0.0.1:${ports[2]}`,
  })
  const processes = await Promise.all(roles.map((_, member) => startServer(serverData, settingsOf(member))))

  let turn = 0
  function serverOf(path: string): URL {
    const isUpload = /^\/api\/(uploads|media\/upload)/.test(path)
    const candidates = isUpload ? [0, 1, 2, 2] : [0, 1]
    const chosen = candidates[turn++ % candidates.length] ?? 0
    return new URL(`http://127.0.0.1:${ports[chosen]}`)
  }

  return {
    serverData,
    get members() {
      return roles.map((role, i) => ({ role, process: processes[i] as ServerProcess }))
    },
    ada: visitor(serverOf, serverData.token),
    async newPerson(username) {
      const { id, token } = await addPerson(serverData, username)
      return { id, ...visitor(serverOf, token) }
    },
    kill: async member => processes[member]?.kill(),
    async revive(member) {
      processes[member] = await startServer(serverData, settingsOf(member))
    },
    async stop() {
      await Promise.all(processes.map(process => process.stop()))
    },
  }
}

async function addPerson(
  { databaseUrl, dataFolder }: ServerData,
  username: string,
): Promise<{ id: number; token: string }> {
  const db = await connect({ url: databaseUrl, dataFolder })
  try {
    return await db.transaction(async tx => {
      const person = await insertPerson(tx, {
        issuer: 'http://127.0.0.1',
        subject: username,
        email: `${username}@example.org`,
        username,
        name: username,
        role: 'member',
        status: 'approved',
        requested_at: Date.now(),
      })
      if (!person) throw new Error(`${username} is there already`)
      return { id: person.id, token: await startSession({ db, clock: Date.now }, tx, person.id) }
    })
  } finally {
    await db.close()
  }
}
