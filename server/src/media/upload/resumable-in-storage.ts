import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DataStore, ERRORS, Upload } from '@tus/server'
import { z } from 'zod'
import { uploads } from '#contract/limits.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import type { Storage } from '../../storage/storage.ts'
import {
  availableBytes,
  parseUploadId,
  RESERVATION_MS,
  requireUploadId,
  type UnfinishedUploads,
  type UploadId,
} from './resumable-store.ts'

const FOLDER = 'uploads/'
/** Zero-padded, so that pieces sort by offset. */
const OFFSET_DIGITS = 15

const aboutKey = (uploadId: UploadId) => `${FOLDER}${uploadId}/about.json`
const pieceKey = (uploadId: UploadId, offset: number) =>
  `${FOLDER}${uploadId}/${String(offset).padStart(OFFSET_DIGITS, '0')}`

/** What the uploads of one server hold in memory together. Beyond it they are stored in smaller pieces. */
const MAX_IN_MEMORY = 256 * 1024 ** 2
const SMALLEST_PIECE = 256 * 1024

interface StoreOptions {
  clock?: Clock
  maxBytes?: number
  maxInMemory?: number
}

/**
 * Each upload is a sequence of objects ("pieces") in the storage that all servers share. A piece is named by its offset
 * and never changed, so a server can be killed at any moment.
 */
export function unfinishedInStorage(
  storage: Storage,
  { clock = Date.now, maxBytes = uploads.unfinishedBytesInStore, maxInMemory = MAX_IN_MEMORY }: StoreOptions = {},
): UnfinishedUploads {
  const store = new PieceStore(storage, maxInMemory)
  /** Cache: sizes never change, and reading one takes a request. Entries of removed uploads are dropped at each listing. */
  const sizes = new Map<UploadId, number>()

  /** When the last bytes of each upload arrived, and how many are stored. */
  async function listed(): Promise<Map<UploadId, { lastActivityAt: number; arrived: number }>> {
    const found = new Map<UploadId, { lastActivityAt: number; arrived: number }>()
    for await (const { key, size, modifiedAt } of storage.list(FOLDER)) {
      const uploadId = parseUploadId(key.split('/')[1] ?? '')
      if (!uploadId) continue
      const { lastActivityAt, arrived } = found.get(uploadId) ?? { lastActivityAt: 0, arrived: 0 }
      const bytes = key === aboutKey(uploadId) ? 0 : size
      found.set(uploadId, { lastActivityAt: Math.max(lastActivityAt, modifiedAt.getTime()), arrived: arrived + bytes })
    }
    return found
  }

  /** Bytes that an upload will still take; 0 for one that received nothing for a while. */
  async function reservedBy(
    uploadId: UploadId,
    { lastActivityAt, arrived }: { lastActivityAt: number; arrived: number },
  ) {
    if (clock() - lastActivityAt > RESERVATION_MS) return 0
    const size = sizes.get(uploadId) ?? (await store.sizeOf(uploadId))
    if (size === undefined) return 0
    sizes.set(uploadId, size)
    return Math.max(0, size - arrived)
  }

  return {
    store,
    async freeBytesFor(personId) {
      const present = await listed()
      for (const uploadId of sizes.keys()) if (!present.has(uploadId)) sizes.delete(uploadId)
      let free = maxBytes
      for (const { arrived } of present.values()) free -= arrived
      const claims = [...present].map(async ([uploadId, one]) => [uploadId, await reservedBy(uploadId, one)] as const)
      return availableBytes(free, personId, await Promise.all(claims))
    },
    async copyTo(uploadId, path) {
      await pipeline(bytesOf(storage, uploadId), createWriteStream(path, { flags: 'wx' }))
    },
    async countOwnedBy(personId) {
      const found = new Set<string>()
      for await (const { key } of storage.list(`${FOLDER}${personId}-`)) found.add(key.split('/')[1] ?? '')
      return found.size
    },
    remove: uploadId => removeAll(storage, uploadId),
    async *list() {
      for (const [uploadId, { lastActivityAt }] of await listed()) yield { uploadId, lastActivityAt }
    },
  }
}

const About = z.object({ size: z.number(), metadata: z.record(z.string(), z.string().nullable()).optional() })

class PieceStore extends DataStore {
  readonly #storage: Storage
  readonly #memory: Memory

  constructor(storage: Storage, maxInMemory: number) {
    super()
    this.#storage = storage
    this.#memory = { used: 0, most: maxInMemory }
    this.extensions = ['creation', 'creation-with-upload', 'termination']
  }

  override async create(upload: Upload): Promise<Upload> {
    const { size, metadata } = upload
    await this.#storage.put(
      aboutKey(requireUploadId(upload.id)),
      Readable.from([Buffer.from(JSON.stringify({ size, metadata }))]),
    )
    return upload
  }

  override async write(source: Readable, uploadId: string, offset: number): Promise<number> {
    const id = requireUploadId(uploadId)
    let at = offset
    for await (const piece of inPieces(source, this.#memory)) {
      await this.#storage.put(pieceKey(id, at), Readable.from([piece]))
      at += piece.length
    }
    return at
  }

  override async getUpload(uploadId: string): Promise<Upload> {
    const id = requireUploadId(uploadId)
    const { size, metadata } = await this.#about(id)
    const chunks = await piecesOf(this.#storage, id)
    const offset = chunks.reduce((sum, piece) => sum + piece.size, 0)
    return new Upload({ id: uploadId, size, offset, ...(metadata ? { metadata } : {}) })
  }

  /** The announced size; undefined when the upload is being removed. */
  async sizeOf(uploadId: UploadId): Promise<number | undefined> {
    return this.#about(uploadId).then(
      ({ size }) => size,
      () => undefined,
    )
  }

  override async remove(uploadId: string): Promise<void> {
    await removeAll(this.#storage, requireUploadId(uploadId))
  }

  async #about(uploadId: UploadId): Promise<z.infer<typeof About>> {
    try {
      const { stream } = await this.#storage.read(aboutKey(uploadId))
      return About.parse(JSON.parse(Buffer.concat(await stream.toArray()).toString()))
    } catch (error) {
      throw error instanceof AppError && error.code === 'not_found' ? ERRORS.FILE_NOT_FOUND : error
    }
  }
}

interface Memory {
  used: number
  readonly most: number
}

/**
 * Pieces of at most the chunk size of our own client; larger requests are split. They are smaller while many slow uploads
 * hold all the memory that there is for them.
 */
async function* inPieces(source: AsyncIterable<Buffer>, memory: Memory): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of source) {
      for (let rest = chunk; rest.length > 0; ) {
        const fits = rest.subarray(0, uploads.chunkBytes - bytes)
        gathered.push(fits)
        bytes += fits.length
        memory.used += fits.length
        rest = rest.subarray(fits.length)
        const isLarge = bytes >= (memory.used > memory.most ? SMALLEST_PIECE : uploads.chunkBytes)
        if (!isLarge) continue
        yield Buffer.concat(gathered)
        memory.used -= bytes
        gathered = []
        bytes = 0
      }
    }
    if (bytes > 0) yield Buffer.concat(gathered)
  } finally {
    memory.used -= bytes
  }
}

interface Piece {
  key: string
  offset: number
  size: number
}

/** In order, up to the first gap. */
async function piecesOf(storage: Storage, uploadId: UploadId): Promise<Piece[]> {
  const found: Piece[] = []
  for await (const { key, size } of storage.list(`${FOLDER}${uploadId}/`)) {
    const offset = /\/(\d+)$/.exec(key)?.[1]
    if (offset !== undefined) found.push({ key, offset: Number(offset), size })
  }
  found.sort((a, b) => a.offset - b.offset)
  let end = 0
  return found.filter(piece => {
    if (piece.offset !== end) return false
    end += piece.size
    return true
  })
}

async function* bytesOf(storage: Storage, uploadId: UploadId): AsyncGenerator<Buffer> {
  for (const { key } of await piecesOf(storage, uploadId)) yield* (await storage.read(key)).stream
}

async function removeAll(storage: Storage, uploadId: UploadId): Promise<void> {
  const keys: string[] = []
  for await (const { key } of storage.list(`${FOLDER}${uploadId}/`)) keys.push(key)
  await storage.remove(keys)
}
