import { join } from 'node:path'
import type { Config } from './config.ts'
import { connect, type Database } from './db/database.ts'
import { installationSecret } from './db/secrets.ts'
import { lockFolder } from './db/sqlite/folder-lock.ts'
import { createQueue, type Queue, type QueueLog } from './jobs/queue.ts'
import type { Clock } from './kit/clock.ts'
import { openScratch, type Scratch } from './kit/scratch.ts'
import { sweepLooseKeys } from './media/keep.ts'
import { type OpenTools, openMediaTools } from './media/prepare/open-tools.ts'
import { type LocalStorage, openLocalStorage } from './storage/local/local-storage.ts'
import { createSigning, type Signing } from './storage/signing.ts'

/** Everything that features are built from. Opened by the server, and by the tools that work beside it. */
export interface House {
  config: Config
  clock: Clock
  db: Database
  signing: Signing
  storage: LocalStorage
  scratch: Scratch
  queue: Queue
  tools: OpenTools
  /** Ends everything in order; what is unfinished is left so that the next start goes on with it. */
  close(): Promise<void>
}

/** Takes the data folder, brings the schema up to date and clears away what a killed process left. */
export async function openHouse(config: Config, { clock, log }: { clock: Clock; log: QueueLog }): Promise<House> {
  const unlock = lockFolder(config.dataFolder)
  const opened: (() => Promise<void>)[] = [async () => unlock()]
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end()
  }
  try {
    const db = await connect({ url: config.databaseUrl, dataFolder: config.dataFolder })
    opened.push(() => db.close())
    const signing = createSigning({ secret: await installationSecret(db, 'file-signing'), clock })
    const storage = await openLocalStorage({ folder: join(config.dataFolder, 'files'), signing })
    await storage.sweepUnfinished(new Date(clock()))
    // This process alone holds the folder, so whatever was being written when it started is nobody's.
    await sweepLooseKeys({ db, storage, clock }, clock())
    const scratch = await openScratch(join(config.dataFolder, 'scratch'))
    const tools = openMediaTools({ ...config, warn: (sentence, cause) => log.error({ err: cause }, sentence) })
    opened.push(() => tools.close())
    const queue = createQueue(db, clock, log)
    opened.push(() => queue.stop())
    return { config, clock, db, signing, storage, scratch, queue, tools, close }
  } catch (error) {
    await close()
    throw error
  }
}
