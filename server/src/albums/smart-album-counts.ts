import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import type { Clock } from '../kit/clock.ts'
import { inBackground } from '../kit/read-limits.ts'
import { announce, readBusMessage } from '../live/announce.ts'
import { countSmartAlbum, storeSmartAlbumCount } from '../media/public.ts'
import { findAlbum, selectSmartAlbums } from './albums.sql.ts'

export interface CountDeps {
  db: Database
  clock: Clock
  /** The live events after which the search of an album may find other files. */
  changesSearches: ReadonlySet<string>
}

/** At most this often, and for at most a tenth of the time: an import changes files without a pause. */
const EVERY_MS = 1_000
const PAUSE_FACTOR = 10

/**
 * Counts what smart albums find, in the background after changes: a search for common words reads all files, and lists of
 * albums and links would do so for each of them. Until then they show the last count.
 */
export async function keepSmartAlbumCounts(app: FastifyInstance, deps: CountDeps): Promise<void> {
  const { db, clock, changesSearches } = deps
  const stopping = new AbortController()
  let staleSince: number | undefined
  let timer: NodeJS.Timeout | undefined
  let pauseMs = EVERY_MS
  let running = Promise.resolve()

  function markStale(): void {
    staleSince = clock()
    if (stopping.signal.aborted || timer) return
    timer = setTimeout(() => {
      running = inBackground(count)
    }, pauseMs).unref()
  }

  async function count(): Promise<void> {
    const [startedAt, since] = [performance.now(), staleSince ?? clock()]
    staleSince = undefined
    const failed = (error: unknown) =>
      app.log.error({ err: error }, 'a smart album could not be counted; the next change tries again')
    await countSmartAlbums(deps, since, stopping.signal, failed).catch(failed)
    pauseMs = Math.max(EVERY_MS, PAUSE_FACTOR * (performance.now() - startedAt))
    timer = undefined
    if (staleSince !== undefined) markStale()
  }

  const unsubscribe = await db.subscribe({
    onMessage(text) {
      const message = readBusMessage(text)
      if (message && 'event' in message && changesSearches.has(message.event.kind)) markStale()
    },
    onGap: markStale,
  })
  app.addHook('preClose', async () => {
    stopping.abort()
    clearTimeout(timer)
    await unsubscribe()
    await running
  })
  // What has changed since the last stop is not known.
  markStale()
}

/** Leaves out those that another server has counted since. One that fails does not keep the others from being counted. */
async function countSmartAlbums(
  deps: CountDeps,
  since: number,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  for (const { id } of await selectSmartAlbums(deps.db.query, since)) {
    if (signal.aborted) return
    await recount(deps, id).catch(failed)
  }
}

async function recount({ db, clock }: CountDeps, id: number): Promise<void> {
  const countedAt = clock()
  // Read again: counting those before it takes a while.
  const album = await findAlbum(db.query, id)
  if (!album || album.search === null) return
  const count = await countSmartAlbum(db, album)
  const now = await findAlbum(db.query, id)
  // Who changes an album counts it themselves.
  const isSame = now?.search === album.search && now.file_order === album.file_order && now.cover_id === album.cover_id
  if (!isSame || !(await storeSmartAlbumCount(db.query, id, count, countedAt))) return
  await db.transaction(tx => announce(db, tx, { kind: 'albums', id }, 'everyone'))
}
