import type { Database } from '../db/database.ts'
import type { PersonRow, Tx } from '../db/schema.ts'
import { defineJob, PermanentFailure, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { FetchRefused, safeFetch } from '../kit/safe-fetch.ts'
import { pathBelow, type Scratch } from '../kit/safe-path.ts'
import { announce } from '../live/announce.ts'
import { clearPending, extensionOf, type MediaTools, markForRemoval, storeThenCommit } from '../media/public.ts'
import { personById, setAvatar } from '../people/public.ts'
import { detectFormat } from '../processing/detect-format.ts'
import { randomSuffix, storedName } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'

export interface AvatarDeps {
  db: Database
  storage: Storage
  clock: Clock
  scratch: Scratch
  tools: Pick<MediaTools, 'makePictures'>
  /** Origin of the configured identity provider, which may be in a private network. */
  issuerOrigin: string | undefined
}

const copyAvatar = defineJob<{ personId: number; source: string }>('auth.copy-avatar', { priority: 7, attempts: 3 })

/** Pictures are copied at sign-in and served by this server, so that browsers send no requests to a third party. */
export async function enqueueAvatarFetch(
  queue: Queue,
  tx: Tx,
  person: PersonRow,
  source: string | null,
): Promise<void> {
  // A stranger must not make the server fetch anything.
  if (person.status !== 'approved') return
  if (source === null || source === person.avatar_source) return
  await queue.enqueue(
    tx,
    copyAvatar,
    { personId: person.id, source },
    {
      uniqueKey: `auth.copy-avatar:${person.id}`,
      ownerId: person.id,
    },
  )
}

export function handleAvatarJobs(queue: Queue, deps: AvatarDeps): void {
  queue.handle(copyAvatar, {
    run: ({ personId, source }, { signal }) =>
      deps.scratch.withFolder(async folder => {
        const person = await personById(deps.db.query, personId)
        if (person?.status !== 'approved') return
        const fetched = pathBelow(folder, 'fetched')
        await fetchPicture(source, fetched, deps.issuerOrigin, signal)
        const recognised = await detectFormat(fetched)
        if (recognised?.kind !== 'image') throw new PermanentFailure('The avatar is not a picture')
        const made = await deps.tools.makePictures({ path: fetched, format: recognised.format, folder }, signal)
        const small = made.pictures.find(picture => picture.kind === 'thumbnail')
        if (!small) throw new PermanentFailure('The avatar could not be made small')
        const key = `avatars/${storedName(person.username, randomSuffix(), extensionOf(small))}`
        await storeThenCommit(deps, [{ key, path: small.path }], () =>
          deps.db.transaction(async tx => {
            if (person.avatar_key) await markForRemoval(tx, [person.avatar_key], deps.clock())
            await setAvatar(tx, personId, { key, source })
            await clearPending(tx, [key])
            await announce(deps.db, tx, { kind: 'people' }, 'everyone')
          }),
        )
      }),
  })
}

const TIMEOUT_MS = 15_000
const MOST_BYTES = 5_000_000

/** The URL is untrusted: the provider may let people choose it. */
async function fetchPicture(source: string, into: string, trustedOrigin: string | undefined, signal: AbortSignal) {
  const limits = { typePrefix: 'image/', maxBytes: MOST_BYTES, timeoutMs: TIMEOUT_MS }
  await safeFetch(source, { into, ...limits, trustedOrigin, signal }).catch(error => {
    throw error instanceof FetchRefused ? new PermanentFailure(`The avatar was not fetched: ${error.message}`) : error
  })
}
