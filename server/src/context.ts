import { join } from 'node:path'
import type { Config } from './config.ts'
import { connect, type Database } from './db/database.ts'
import { installationSecret } from './db/secrets.ts'
import { lockFolder } from './db/sqlite/folder-lock.ts'
import { restrictDataFolder } from './file-access.ts'
import { createQueue, type Queue, type QueueLog } from './jobs/queue.ts'
import type { Clock } from './kit/clock.ts'
import { openScratch, type Scratch } from './kit/safe-path.ts'
import { createTokenEncryption, linkKeyFile, type TokenEncryption } from './kit/token-encryption.ts'
import { type LibraryStorage, openLibraryStorage } from './library-storage.ts'
import { type OpenTools, openMediaTools, type ToolsOptions } from './media/prepare/tools.ts'
import { removeOrphans } from './media/store-files.ts'
import { takeOwnFolder } from './own-folder.ts'
import { deactivateDemoAccounts } from './people/public.ts'
import { explainDamage, refuseLostDatabase } from './refuse-lost-database.ts'
import { refuseUnsafeFolders } from './refuse-unsafe-folders.ts'
import { placesOfKey } from './source-folders/watched.sql.ts'
import { withWatchedFolders } from './source-folders/watched-storage.ts'
import { createSigning, type Signing } from './storage/signing.ts'

/** The dependencies of all features. Created by the server and by CLI commands. */
export interface AppContext extends LibraryStorage {
  config: Config
  clock: Clock
  db: Database
  signing: Signing
  tokenEncryption: TokenEncryption
  scratch: Scratch
  queue: Queue
  tools: OpenTools
  log: Log
  /** Closes everything in reverse order. Unfinished jobs are continued at the next start. */
  close(): Promise<void>
}

export interface Log extends QueueLog {
  warn(sentence: string): void
  warn(context: object, message: string): void
}

interface ContextOptions extends Pick<ToolsOptions, 'findPackagedFfmpeg'> {
  clock: Clock
  log: Log
}

/** Locks the data folder, runs migrations and removes orphans that a killed process left. */
export async function createContext(config: Config, options: ContextOptions): Promise<AppContext> {
  const { clock, log, findPackagedFfmpeg } = options
  const opened: (() => unknown)[] = []
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end()
  }
  try {
    await refuseUnsafeFolders(config)
    const scratchFolder = await takeFolder(config, end => opened.push(end))
    restrictDataFolder(config.dataFolder, config.fileAccess, log)
    const scratch = await openScratch(scratchFolder)
    await refuseLostDatabase(config, { clock, scratch })
    const db = await connect({ url: config.databaseUrl, dataFolder: config.dataFolder })
    opened.push(() => db.close())
    if (config.oidc) await reportInactiveDemoAccounts(db, clock, log)
    const signing = createSigning({ secret: await installationSecret(db, 'file-signing'), clock })
    const ownFiles = await openLibraryStorage(config, { signing, clock, scratch })
    opened.push(() => ownFiles.store?.close())
    const library = withWatchedFolders(ownFiles, {
      ...{ roots: config.libraryFolders, signing },
      placesOf: key => placesOfKey(db.query, key),
    })
    const { storage } = library
    if (!isShared(config)) {
      // No other process writes here, so objects that were being written before this start are orphans.
      await library.local?.removeUnfinished(new Date(clock()))
      await removeOrphans({ db, storage, clock }, clock())
    }
    const tokenEncryption = createTokenEncryption({
      keys: config.linkKeys,
      file: join(config.dataFolder, linkKeyFile),
      // Several servers would make a key each, and each could show its own links only.
      makeFile: !isShared(config),
      log,
    })
    const tools = await openMediaTools({
      ...config,
      findPackagedFfmpeg,
      exchangeFolder: join(scratchFolder, 'sandbox'),
      warn: (sentence, cause) => log.error({ err: cause }, sentence),
      log: (sentence, cause) => log.warn({ err: cause }, sentence),
    })
    opened.push(() => tools.close())
    log.info({ sandbox: tools.sandboxLevel }, 'the sandbox of the programs that read photos and videos')
    const queue = createQueue(db, clock, log)
    opened.push(() => queue.stop())
    return { config, clock, db, signing, tokenEncryption, ...library, scratch, queue, tools, log, close }
  } catch (error) {
    await close()
    throw explainDamage(error, config)
  }
}

/** Also for commands, so that none of them acts as a demo account. */
async function reportInactiveDemoAccounts(db: Database, clock: Clock, log: Log): Promise<void> {
  const count = await db.transaction(tx => deactivateDemoAccounts(tx, clock()))
  if (count === 0) return
  log.warn({ accounts: count }, 'demo accounts are inactive, since an identity provider is configured')
}

/** Database and files are both remote, so other servers may use the same library. */
export function isShared({ databaseUrl, s3 }: Pick<Config, 'databaseUrl' | 's3'>): boolean {
  return databaseUrl !== undefined && s3 !== undefined
}

/** Locks the data folder, or only a subfolder where several servers share the library. Returns the scratch folder. */
async function takeFolder(config: Config, atTheEnd: (end: () => unknown) => void): Promise<string> {
  const scratch = join(config.dataFolder, 'scratch')
  if (isShared(config)) {
    const own = await takeOwnFolder(scratch)
    atTheEnd(own.release)
    return join(own.path, 'work')
  }
  atTheEnd(lockFolder(config.dataFolder))
  return scratch
}
