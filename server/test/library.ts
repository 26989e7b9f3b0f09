import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, inject, onTestFinished } from 'vitest'
import { callbackPagePath, providerReturnPath, signInPath } from '#contract/auth.ts'
import { DAY, rateLimits } from '#contract/limits.ts'
import { approvePerson, giveRole } from '#contract/people.ts'
import { type App, createApp } from '#server/app.ts'
import { type DemoPerson, demoAdmins, demoFamily, demoMembers } from '#server/auth/demo/people.ts'
import { type Config, readConfig } from '#server/config.ts'
import { connect, type Database, sqliteFile } from '#server/db/database.ts'
import { Browser } from './browser.ts'
import { databaseRows, type Row } from './database-rows.ts'
import { freePort } from './free-port.ts'
import { type IdentityProvider, startIdentityProvider } from './identity-provider.ts'
import { createDatabase } from './postgres.ts'
import { newBucket } from './store.ts'
import { type Visitor, visitor } from './visitor.ts'

const both = ['sqlite', 'postgres'] as const
export type Engine = (typeof both)[number]

/** With an S3 store, every library uses Postgres and its own bucket. */
const onStore = inject('store') !== null
export const engines: readonly Engine[] = onStore ? ['postgres'] : both

/** See `onOneEngine`. Two test files about the same SQL use one each. */
export const oneEngine = process.env.LONG ? engines : engines.slice(0, 1)
export const otherEngine = process.env.LONG ? engines : engines.slice(-1)

export interface LibraryOptions {
  /** Default: SQLite. */
  engine?: Engine
  /** Environment variables that override the tests' defaults; undefined unsets one. */
  environment?: Environment
  /** Fills the machine before the server starts, instead of a new database. */
  from?: (machine: { dataFolder: string; databaseUrl: string | undefined }) => Promise<void>
  /** The time at which the library's clock starts; default: now. */
  at?: number
  /** A push service on this machine. */
  trustedPushOrigin?: string
}

type Environment = Record<string, string | undefined>

/**
 * The complete server over HTTP, with its own data folder, database and identity provider. The provider knows the
 * demo family (ada: admin; ben and rose: members; kofi and ines: strangers); add others with `newPerson`.
 */
export interface Library {
  readonly url: URL
  readonly config: Config
  readonly app: App
  readonly provider: IdentityProvider
  /** All log lines so far, as JSON. */
  readonly log: readonly string[]
  /** Calls without a session. */
  readonly anyone: Visitor
  /** A new person with an account at the provider, who has not requested access yet. */
  newPerson(details?: Partial<DemoPerson>): DemoPerson
  /** Follows the complete sign-in and returns the URL of ours where it ends. */
  signIn(person: DemoPerson | string, browser?: Browser): Promise<URL>
  /** Signs in at the provider up to its redirect URI, which is not visited. Without a person, it is cancelled. */
  returnFromProvider(person: DemoPerson | string | undefined, browser: Browser): Promise<URL>
  /** Signs in a person who is approved. */
  signInAs(person: DemoPerson | string): Promise<SignedIn>
  /** Ada, signed in; the session is shared unless a day has passed. */
  admin(): Promise<SignedIn>
  /** Signs in a new person whom Ada has approved. */
  newMember(details?: Partial<DemoPerson>): Promise<SignedIn>
  /** Signs in a new person whom Ada has approved and made a viewer. */
  newViewer(): Promise<SignedIn>
  /** The id of a person who has signed in at least once. */
  idOf(person: DemoPerson | string): Promise<number>
  /** Restarts the server on the same data, with these settings changed. */
  restart(environment?: Environment): Promise<void>
  /** The time of the library's clock. */
  now(): number
  /** Advances the library's clock. */
  pass(milliseconds: number): void
  /** Queries or changes the database directly, bypassing the product. */
  rows(query: string): Promise<Row[]>
  /** A second connection to the database, for adding rows; it is opened once, because that starts three threads. */
  database(): Promise<Database>
  close(): Promise<void>
}

export interface SignedIn extends Visitor {
  readonly token: string
  readonly person: DemoPerson
}

type LibraryTests = (library: () => Library, engine: Engine) => void

/** Runs the tests on SQLite and on Postgres, with one shared library per engine. */
export function onBothEngines(name: string, tests: LibraryTests, options: Omit<LibraryOptions, 'engine'> = {}): void {
  onEngines(engines, name, tests, options)
}

/**
 * For tests that do not depend on the database (decoding, hostile files, archives) and those that `npm run
 * test:scale` runs on Postgres anyway: only SQLite, or only Postgres if there is a store. `npm run test:long` runs
 * them on both.
 */
export function onOneEngine(name: string, tests: LibraryTests, options: Omit<LibraryOptions, 'engine'> = {}): void {
  onEngines(oneEngine, name, tests, options)
}

/** The same, but only Postgres: for the second of two files that test the same SQL. */
export function onOtherEngine(name: string, tests: LibraryTests, options: Omit<LibraryOptions, 'engine'> = {}): void {
  onEngines(otherEngine, name, tests, options)
}

function onEngines(
  used: readonly Engine[],
  name: string,
  tests: LibraryTests,
  options: Omit<LibraryOptions, 'engine'>,
): void {
  describe.each(used)(`${name} (%s)`, engine => {
    let library: Library | undefined
    beforeAll(async () => {
      library = await startLibrary({ ...options, engine })
    })
    afterAll(() => library?.close())
    tests(() => {
      if (!library) throw new Error('The library is there from beforeAll on')
      return library
    }, engine)
  })
}

export async function startLibrary(options: LibraryOptions = {}): Promise<Library> {
  const opened: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end()
  }
  try {
    return await open(options, opened, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(
  options: LibraryOptions,
  opened: (() => Promise<void>)[],
  close: () => Promise<void>,
): Promise<Library> {
  const url = new URL(`http://127.0.0.1:${await freePort()}`)
  const dataFolder = await mkdtemp(join(tmpdir(), 'heirloom-library-'))
  opened.push(() => rm(dataFolder, { recursive: true, force: true }))
  const templates = inject('templates')
  const usesPostgres = onStore || options.engine === 'postgres'
  const template = options.from ? undefined : templates.postgres
  const postgres = usesPostgres ? await createDatabase(inject('postgresUrl'), template) : undefined
  if (postgres) opened.push(postgres.drop)
  else if (!options.from) await copyFile(templates.sqliteFile, sqliteFile(dataFolder))
  await options.from?.({ dataFolder, databaseUrl: postgres?.url })
  const provider = await startIdentityProvider(new URL(providerReturnPath, url), [...demoFamily])
  opened.push(provider.close)
  let environment: Environment = {
    PORT: url.port,
    DATA_DIR: dataFolder,
    DATABASE_URL: postgres?.url,
    ...(onStore ? newBucket() : {}),
    OIDC_ISSUER: provider.issuer.href,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    ADMIN_EMAILS: demoAdmins.join(),
    APPROVED_EMAILS: demoMembers.join(),
    // Each browser has its own client address, so that tests do not share rate limits.
    TRUST_PROXY: 'true',
    // For the same dates on every machine.
    HOME_TIMEZONE: 'UTC',
    LOG_LEVEL: 'trace',
  }
  let passed = options.at === undefined ? 0 : options.at - Date.now()
  const now = () => Date.now() + passed
  const log: string[] = []

  async function start(changes: Environment = {}) {
    environment = { ...environment, ...changes }
    const config = readConfig(environment)
    const logTo = { write: (line: string) => void log.push(line) }
    // Without PATH and package there is no ffmpeg, on every processor; tests that need one set PATH and FFMPEG_PATH.
    const app = await createApp(config, {
      ...{ clock: now, logTo, findPackagedFfmpeg: async () => undefined },
      ...(options.trustedPushOrigin === undefined ? {} : { trustedPushOrigin: options.trustedPushOrigin }),
    })
    await app.http.listen({ host: config.host, port: config.port })
    return { config, app }
  }
  let running = await start(options.environment)
  opened.push(() => running.app.close())

  let database: Promise<Database> | undefined
  function openDatabase(): Promise<Database> {
    const { databaseUrl, dataFolder } = running.config
    const opening = connect({ url: databaseUrl, dataFolder })
    opened.push(async () => (await opening).close())
    return opening
  }

  const rows = (query: string) => databaseRows(postgres ?? { file: sqliteFile(dataFolder) }, query)
  return {
    url,
    get config() {
      return running.config
    },
    get app() {
      return running.app
    },
    provider,
    log,
    anyone: visitor(url),
    ...people({ url, provider, rows, now }),
    async restart(changes) {
      await running.app.close()
      running = await start(changes)
    },
    now,
    pass(milliseconds) {
      passed += milliseconds
    },
    rows,
    database() {
      database ??= openDatabase()
      return database
    },
    close,
  }
}

/** Windows of rate limits are aligned to the minute: starting at the beginning of one, no test spans two. */
export function startOfWindow({ now, pass }: Pick<Library, 'now' | 'pass'>): void {
  pass(rateLimits.window - (now() % rateLimits.window))
}

/** The database as another server of the same library opens it, closed after the test. */
export async function anotherServersDatabase({ config }: Library): Promise<Database> {
  if (!config.databaseUrl) throw new Error('SQLite serves one process')
  const database = await connect({ url: config.databaseUrl, dataFolder: config.dataFolder })
  onTestFinished(() => database.close())
  return database
}

type PeopleOfLibrary = Pick<
  Library,
  'newPerson' | 'signIn' | 'returnFromProvider' | 'signInAs' | 'admin' | 'newMember' | 'newViewer' | 'idOf'
>

function people({ url, provider, rows, now }: Pick<Library, 'url' | 'provider' | 'rows' | 'now'>): PeopleOfLibrary {
  const isOurs = (address: URL) => address.origin === url.origin

  function named(person: DemoPerson | string): DemoPerson {
    const known = typeof person === 'string' ? provider.people.find(({ subject }) => subject === person) : person
    if (!known) throw new Error(`The provider knows no ${String(person)}`)
    return known
  }

  let ada: { since: number; session: Promise<SignedIn> } | undefined
  const library: PeopleOfLibrary = {
    newPerson(details = {}) {
      const subject = details.subject ?? `person${provider.people.length}`
      const email = `${subject}@elsewhere.example`
      const person = {
        subject,
        name: `Person ${subject}`,
        email,
        emailVerified: true,
        about: 'friend' as const,
        ...details,
      }
      provider.people.push(person)
      return person
    },

    async returnFromProvider(person, browser) {
      const arrived = await browser.follow(new URL(signInPath, url), isOurs)
      // A browser with a session at the provider is redirected back without a prompt.
      if (isOurs(arrived)) return arrived
      const choice: Record<string, string> = person ? { person: named(person).subject } : { cancel: '1' }
      return browser.follow(arrived, isOurs, { method: 'POST', body: new URLSearchParams(choice) })
    },

    async signIn(person, browser = new Browser()) {
      return browser.follow(await library.returnFromProvider(person, browser), isOurs)
    },

    async signInAs(person) {
      const landed = await library.signIn(person)
      const token = landed.searchParams.get('token')
      if (landed.pathname !== callbackPagePath || !token) throw new Error(`Sent to ${landed} instead of let in`)
      return { token, person: named(person), ...visitor(url, token) }
    },

    async admin() {
      if (!ada || now() - ada.since > DAY) ada = { since: now(), session: library.signInAs('ada') }
      return ada.session
    },

    async newMember(details) {
      const person = library.newPerson(details)
      await library.signIn(person)
      const ada = await library.admin()
      await ada.call(approvePerson, { params: { id: await library.idOf(person) } })
      return library.signInAs(person)
    },

    async newViewer() {
      const viewer = await library.newMember()
      const ada = await library.admin()
      await ada.call(giveRole, { params: { id: await library.idOf(viewer.person) }, body: { role: 'viewer' } })
      return viewer
    },

    async idOf(person) {
      const [row] = await rows(`select id from people where subject = '${named(person).subject}'`)
      if (!row) throw new Error(`${named(person).name} never signed in`)
      return Number(row.id)
    },
  }
  return library
}
