import { writeFile } from 'node:fs/promises'
import { pictures } from '#contract/limits.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { PersonRow, Tx } from '../db/schema.ts'
import { defineJob, PermanentFailure, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { FetchRefused, safeFetch } from '../kit/safe-fetch.ts'
import { pathBelow, type RootFolder, type Scratch } from '../kit/safe-path.ts'
import { announce } from '../live/announce.ts'
import { clearPending, extensionOf, type MediaTools, markForRemoval, storeThenCommit } from '../media/public.ts'
import { OWN_PICTURE, personById, setAvatar } from '../people/public.ts'
import { detectFormat } from '../processing/detect-format.ts'
import type { RunOptions } from '../processing/worker-pool.ts'
import { randomSuffix, storedName } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'

export interface AvatarDeps {
  db: Database
  storage: Storage
  clock: Clock
  scratch: Scratch
  tools: Pick<MediaTools, 'makePictures' | 'measure'>
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
  if (source === null || source === person.avatar_source || person.avatar_source === OWN_PICTURE) return
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
        const small = await makeSmall(deps, fetched, folder, signal)
        if (!small) throw new PermanentFailure('The avatar is not a picture')
        await store(deps, personId, small, async (tx, key) => {
          const now = await personById(tx, personId)
          // During the download the person may have uploaded a picture of their own, or have left.
          if (now?.status !== 'approved' || now.avatar_source === OWN_PICTURE)
            return markForRemoval(tx, [key], deps.clock())
          await replaceAvatar(deps, tx, personId, { key, source })
        })
      }),
  })
}

/** A picture that the person uploads is as untrusted as any file: it is decoded in the sandbox and encoded again. */
export async function storeOwnPicture(
  deps: AvatarDeps,
  personId: number,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  await deps.scratch.withFolder(async folder => {
    const given = pathBelow(folder, 'given')
    await writeFile(given, bytes)
    const unreadable = (cause: unknown) => {
      throw new AppError('invalid', 'picture.unreadable', { cause })
    }
    const pixels = await countPixels(deps, given, { ownerId: personId, signal, ownProcess: true }).catch(unreadable)
    if (pixels > pictures.ownPixels) throw new AppError('invalid', 'picture.tooManyPixels')
    const small = await makeSmall(deps, given, folder, signal).catch(unreadable)
    if (!small) throw new AppError('not_a_photo_or_video', 'picture.noPicture')
    await store(deps, personId, small, async (tx, key) => {
      await replaceAvatar(deps, tx, personId, { key, source: OWN_PICTURE })
      await recordAudit(tx, [pictureLine(personId, deps.clock())])
    })
  })
}

/** Shows the provider's picture again, once it is copied. */
export async function removeOwnPicture(deps: AvatarDeps & { queue: Queue }, personId: number): Promise<void> {
  await deps.db.transaction(async tx => {
    const person = await personById(tx, personId)
    if (person?.avatar_source !== OWN_PICTURE) return
    await replaceAvatar(deps, tx, personId, { key: null, source: null })
    await recordAudit(tx, [pictureLine(personId, deps.clock())])
    await enqueueAvatarFetch(deps.queue, tx, { ...person, avatar_source: null }, person.provider_picture)
  })
}

export function removeAvatar(deps: AvatarDeps, tx: Tx, personId: number): Promise<void> {
  return replaceAvatar(deps, tx, personId, { key: null, source: null })
}

function pictureLine(personId: number, at: number) {
  return { at, actorId: personId, act: 'person.picture', subject: { type: 'person', id: personId } } as const
}

/** 0 if the file is not a picture. */
async function countPixels({ tools }: AvatarDeps, path: string, run: RunOptions) {
  const recognised = await detectFormat(path)
  if (recognised?.kind !== 'image') return 0
  const { width, height } = await tools.measure({ path, format: recognised.format }, run)
  return width * height
}

/** Undefined if the file is not a picture. */
async function makeSmall(deps: AvatarDeps, path: string, folder: RootFolder, signal: AbortSignal) {
  const recognised = await detectFormat(path)
  if (recognised?.kind !== 'image') return undefined
  const made = await deps.tools.makePictures({ path, format: recognised.format, folder }, { signal, ownProcess: true })
  return made.pictures.find(picture => picture.kind === 'thumbnail')
}

async function store(
  deps: AvatarDeps,
  personId: number,
  small: NonNullable<Awaited<ReturnType<typeof makeSmall>>>,
  commit: (tx: Tx, key: string) => Promise<void>,
): Promise<void> {
  const person = await personById(deps.db.query, personId)
  if (!person) return
  const key = `avatars/${storedName(person.username, randomSuffix(), extensionOf(small))}`
  await storeThenCommit(deps, [{ key, path: small.path }], () =>
    deps.db.transaction(async tx => {
      await clearPending(tx, [key])
      await commit(tx, key)
    }),
  )
}

async function replaceAvatar(
  { db, clock }: AvatarDeps,
  tx: Tx,
  personId: number,
  avatar: { key: string | null; source: string | null },
): Promise<void> {
  const before = await personById(tx, personId)
  if (before?.avatar_key) await markForRemoval(tx, [before.avatar_key], clock())
  await setAvatar(tx, personId, avatar)
  await announce(db, tx, { kind: 'people' }, 'everyone')
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
