import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chown, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPostgres } from '../../scripts/lib/system.mjs'
import { freePort } from './free-port.ts'

export interface Postgres {
  /** Its maintenance database; create separate databases for tests. */
  url: string
  /** Restarts it after so many seconds, like an upgrade. */
  restart(secondsAway: number): void
  stop(): Promise<void>
}

export interface TestDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

const settings = [
  'listen_addresses=127.0.0.1',
  'max_connections=200',
  'shared_buffers=64MB',
  // Nothing here needs to survive a crash, so no write waits for the disk.
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  // Tests provoke errors on purpose.
  'log_min_messages=log',
]

/**
 * Runs the server until our end of the pipe closes and then cleans up. The pipes of a process close however it ends,
 * so that even a killed test run leaves nothing behind. TERM ends a server that is still starting, QUIT one that has
 * clients.
 */
const runUntilPipeCloses = `
  programs=$1 folder=$2; shift 2
  exec 3<&0 2>&1
  trap 'rm -rf "$folder"' EXIT
  "$programs/initdb" -D "$folder/data" --username=heirloom --auth=trust --no-sync --no-instructions \
    --encoding=UTF8 --locale=C.UTF-8 --locale-provider=icu --icu-locale=en || exit
  trap 'exit 1' TERM
  serve() {
    rm -f "$folder/server" "$folder/ending"
    {
      sh -c 'echo $$ >"$0"; exec "$@"' "$folder/server" "$programs/postgres" -D "$folder/data" -k "$folder" "$@"
      [ -e "$folder/ending" ] || kill $$
    } &
    until [ -s "$folder/server" ]; do sleep 0.02; done
  }
  end() { touch "$folder/ending"; for how in "$@"; do kill -$how "$(cat "$folder/server")" 2>/dev/null; done; wait; }
  serve "$@"
  while read -r away; do end INT; sleep "$away"; serve "$@"; done <&3
  end TERM QUIT
`

/**
 * A real Postgres from the system's package, on a free loopback port and in its own folder. It sorts by language, as
 * real installations do, so that code that relies on byte order fails.
 */
export async function startPostgres(): Promise<Postgres> {
  const programs = findPostgres()
  if (!programs) throw new Error('The tests need PostgreSQL (on Debian: apt-get install postgresql).')
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-postgres-'))
  const port = await freePort()
  const [command, ...prefix] = await handOver(folder)
  const flags = ['-p', String(port), ...settings.flatMap(setting => ['-c', setting])]
  const args = [...prefix, 'sh', '-c', runUntilPipeCloses, 'sh', programs, folder, ...flags]
  // In its own process group: Ctrl-C ends the tests, which still need their database for the cleanup.
  const keeper = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const ended = once(keeper, 'exit')

  const ready = await readUntil(keeper.stdout, 'ready to accept connections')
  const stop = async (): Promise<void> => {
    keeper.stdin.end()
    await ended
  }
  if (!ready.found) {
    await stop()
    throw new Error(`Postgres did not start:\n${ready.text}`)
  }
  const restart = (secondsAway: number) => void keeper.stdin.write(`${secondsAway}\n`)
  return { url: `postgres://heirloom@127.0.0.1:${port}/postgres`, restart, stop }
}

/** Terminates the connections of the bus between servers, like a network failure. */
export const breakBusLines = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = 'heirloom-bus' and datname = current_database()
`

/** Creates an empty database, or a copy of another one to which nobody is connected. */
export async function createDatabase(baseUrl: string, template?: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await query(baseUrl, `CREATE DATABASE ${name} ${template ? `TEMPLATE ${template}` : ''}`)
  const url = new URL(baseUrl)
  url.pathname = name
  return { name, url: url.href, drop: () => query(baseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** Postgres refuses to run as root: then it runs as the user of Debian's package. Returns the command prefix. */
async function handOver(folder: string): Promise<[string, ...string[]]> {
  if (process.getuid?.() !== 0) return ['env']
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout)
  await chown(folder, await id('-u'), await id('-g'))
  return ['runuser', '-u', 'postgres', '--']
}

/** Always reads to the end, because a full pipe would block the writer. */
function readUntil(stream: Readable, phrase: string): Promise<{ found: boolean; text: string }> {
  return new Promise(resolve => {
    let text = ''
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      text += chunk
      if (text.includes(phrase)) resolve({ found: true, text })
    })
    stream.once('end', () => resolve({ found: false, text }))
  })
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
