import { randomBytes } from 'node:crypto'
import { expect, vi } from 'vitest'
import { deleteMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { createHasher } from '#server/processing/hash.ts'
import { type ClientPicture, makeClientPictures, makePicture, type ViewingSize } from '../fixtures/pictures.ts'
import { finish, photoForm, plainForm, send, sendResumable, type UploadAnswer } from '../fixtures/uploads.ts'
import { keysIn } from '../storage-contents.ts'
import { CallRefused, type Visitor } from '../visitor.ts'
import type { ServerData } from './server-process.ts'

/** `sent`: in flight, or the response was lost; `kept` and `deleted`: acknowledged; `deleting`: not acknowledged. */
type Fate = 'sent' | 'kept' | 'deleting' | 'deleted'

/** Load generator: people who upload and delete continuously, and record what was acknowledged. */
export class UploadStorm {
  /** By the hash of the bytes. */
  readonly fates = new Map<string, Fate>()
  readonly #photo: Buffer
  readonly #pictures: Record<ViewingSize, ClientPicture>

  private constructor(photo: Buffer, pictures: Record<ViewingSize, ClientPicture>) {
    this.#photo = photo
    this.#pictures = pictures
  }

  static async prepare(): Promise<UploadStorm> {
    const photo = await makePicture({ width: 40, height: 30 })
    return new UploadStorm(photo, await makeClientPictures(photo))
  }

  /** Runs until the server is gone. */
  async run(ada: Visitor, people: number): Promise<void> {
    await Promise.all(Array.from({ length: people }, (_, i) => this.#uploadOn(ada, i)))
  }

  /** One upload, by one of the possible ways. */
  uploadOnce(ada: Visitor): Promise<void> {
    return this.#uploadOne(ada, this.fates.size)
  }

  async #uploadOn(ada: Visitor, person: number): Promise<void> {
    for (let turn = person; ; turn++) {
      try {
        await this.#uploadOne(ada, turn)
      } catch (error) {
        // The server is gone, which ends this run. Error responses are failures.
        if (error instanceof CallRefused) throw error
        return
      }
    }
  }

  async #uploadOne(ada: Visitor, turn: number): Promise<void> {
    // Random bytes after the end of a photo make a different file.
    const bytes = Buffer.concat([this.#photo, randomBytes(1 + Math.floor(Math.random() * 300_000))])
    const hash = hashOf(bytes)
    this.fates.set(hash, 'sent')
    const { files } = (await this.#ways[turn % this.#ways.length]?.(ada, `storm ${turn}.jpg`, bytes, hash)) ?? {
      files: [],
    }
    this.fates.set(hash, 'kept')
    if (turn % 5 !== 0) return
    this.fates.set(hash, 'deleting')
    await ada.call(deleteMedia, { params: { id: files[0]?.id ?? 0 } })
    this.fates.set(hash, 'deleted')
  }

  readonly #ways: ((ada: Visitor, name: string, bytes: Buffer, hash: string) => Promise<UploadAnswer>)[] = [
    (ada, name, bytes, hash) => send(ada, plainForm(name, bytes, { hash })),
    (ada, name, bytes) => send(ada, plainForm(name, bytes)),
    (ada, name, bytes, hash) => send(ada, photoForm(name, bytes, this.#pictures, { hash })),
    async (ada, name, bytes) => finish(ada, { originalName: name, uploadId: await sendResumable(ada, bytes) }),
  ]

  /** Everything acknowledged must be true, and nothing else may exist. */
  async verify(ada: Visitor, serverData: ServerData): Promise<void> {
    const { files, stats, count } = await ada.call(listMedia, { query: {} })
    const listed = new Set(files.map(file => file.hash))
    for (const [hash, fate] of this.fates) {
      if (fate === 'kept') expect(listed.has(hash), 'an acknowledged file is listed').toBe(true)
      if (fate === 'deleted') expect(listed.has(hash), 'a deleted file is not listed').toBe(false)
    }
    for (const { hash } of files) expect(this.fates.has(hash), 'nothing is listed that nobody sent').toBe(true)
    expect([stats.total, count]).toEqual([files.length, files.length])
    const originals = await serverData.rows(
      "select media.hash, media_parts.key from media_parts join media on media.id = media_id where kind = 'original'",
    )
    expect(originals.length).toBeGreaterThanOrEqual(files.length)
    for (const { hash, key } of originals) {
      expect(await storedHash(serverData, String(key)), 'an original is whole').toBe(hash)
    }
    await expectNoOrphans(serverData)
  }
}

/**
 * Every stored object is referenced or pending, and every referenced one is stored. Polls, because objects of a
 * server that lost its lease are removed concurrently.
 */
export async function expectNoOrphans(serverData: ServerData): Promise<void> {
  await vi.waitFor(() => lookForOrphans(serverData), { timeout: 30_000, interval: 200 })
}

async function lookForOrphans(serverData: ServerData): Promise<void> {
  const known = async () => {
    const keys = async (query: string) => (await serverData.rows(query)).map(row => String(row.key))
    return { owned: await keys('select key from media_parts'), loose: await keys('select key from pending_objects') }
  }
  // Jobs are running, so the stored keys are compared with the known ones from before and after the listing.
  const before = await known()
  const stored = (await keysIn(serverData.storage)).filter(key => !key.startsWith('uploads/'))
  const after = await known()
  const accounted = new Set([...before.owned, ...before.loose, ...after.owned, ...after.loose])
  expect(stored.filter(key => !accounted.has(key))).toEqual([])
  const ownedThroughout = before.owned.filter(key => after.owned.includes(key))
  expect(ownedThroughout.filter(key => !stored.includes(key))).toEqual([])
}

/** Expires the leases of a killed server at once. */
export async function endClaims(serverData: ServerData): Promise<void> {
  await serverData.rows('update jobs set lease_expires_at = 0 where lease_expires_at is not null')
}

/** Waits until no file is being prepared. */
export async function untilQuiet(serverData: ServerData): Promise<void> {
  const query = "select count(*) as jobs from jobs where failed_at is null and unique_key not like 'every:%'"
  await expect
    .poll(async () => Number((await serverData.rows(query))[0]?.jobs), { timeout: 600_000, interval: 200 })
    .toBe(0)
}

export async function storedHash({ storage }: ServerData, key: string): Promise<string> {
  const hasher = createHasher()
  for await (const chunk of (await storage.read(key)).stream) hasher.update(chunk)
  return hasher.digest()
}

export function hashOf(bytes: Buffer): string {
  const hasher = createHasher()
  hasher.update(bytes)
  return hasher.digest()
}
