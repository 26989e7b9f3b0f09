import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { listGuestUploads } from '#contract/guest-uploads.ts'
import { listLinks } from '#contract/links.ts'
import { type CreatedLink, type Sender, senderOf } from '../fixtures/guests.ts'
import { makePicture } from '../fixtures/pictures.ts'
import { idOfUpload } from '../fixtures/uploads.ts'
import type { Visitor } from '../visitor.ts'
import type { ServerData } from './server-process.ts'
import { expectNoOrphans, hashOf, storedHash } from './upload-storm.ts'

/** An upload whose beginning was acknowledged. */
interface Begun {
  sender: Sender
  path: string
  bytes: Buffer
  acknowledged: boolean
}

/** Load generator: guests who send files continuously by an upload link, and record what was acknowledged. */
export class GuestStorm {
  readonly #photo: Buffer
  readonly #link: CreatedLink
  /** By the id of the upload. */
  readonly #begun = new Map<string, Begun>()
  /** Beginnings whose response was lost: each may have reserved room. */
  #lostBeginnings = 0

  private constructor(photo: Buffer, link: CreatedLink) {
    this.#photo = photo
    this.#link = link
  }

  static async prepare(link: CreatedLink): Promise<GuestStorm> {
    return new GuestStorm(await makePicture({ width: 40, height: 30 }), link)
  }

  get acknowledged(): Begun[] {
    return [...this.#begun.values()].filter(upload => upload.acknowledged)
  }

  /** Runs until the server is gone. */
  async run(senders: readonly Sender[]): Promise<void> {
    await Promise.all(senders.map(sender => this.#sendOn(sender)))
  }

  async #sendOn(sender: Sender): Promise<void> {
    for (;;) {
      const bytes = Buffer.concat([this.#photo, randomBytes(1 + Math.floor(Math.random() * 200_000))])
      const begun = await ifAnswered(sender.begin(bytes.length))
      if (!begun) {
        this.#lostBeginnings++
        return
      }
      expect(begun.status).toBe(201)
      const path = begun.headers.get('location') ?? ''
      const upload: Begun = { sender, path, bytes, acknowledged: false }
      this.#begun.set(idOfUpload(path), upload)
      const half = bytes.length >> 1
      const first = await ifAnswered(sender.sendChunk(path, 0, bytes.subarray(0, half)))
      const second = first && (await ifAnswered(sender.sendChunk(path, half, bytes.subarray(half))))
      const finished = second && (await ifAnswered(sender.finish(path, 'storm.jpg')))
      if (!finished) return
      expect(finished.status).toBe(201)
      upload.acknowledged = true
    }
  }

  /** Every upload that has begun can be continued and finished, wherever it was interrupted. */
  async finishAll(): Promise<void> {
    for (const upload of this.#begun.values()) {
      if (upload.acknowledged) continue
      const { sender, path, bytes } = upload
      const below = path.slice(`/shared/${this.#link.id}`.length)
      const head = await sender.guest.fetch(below, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } })
      // Otherwise it was finished, and the response was lost.
      if (head.status === 200) {
        const offset = Number(head.headers.get('upload-offset'))
        if (offset < bytes.length) {
          expect((await sender.sendChunk(path, offset, bytes.subarray(offset))).status).toBe(204)
        }
      }
      expect((await sender.finish(path, 'storm.jpg')).status).toBe(201)
      upload.acknowledged = true
    }
  }

  /** Everything acknowledged waits to be looked through, once; nothing else does; room is reserved for what is unfinished. */
  async verify(ada: Visitor, serverData: ServerData): Promise<void> {
    const rows =
      await serverData.rows(`select guest_uploads.upload_id, guest_uploads.state, guest_uploads.size, media.hash,
        media.file_size, media_parts.key
      from guest_uploads left join media on media.id = guest_uploads.media_id
      left join media_parts on media_parts.media_id = media.id and media_parts.kind = 'original'`)
    const byId = new Map(rows.map(row => [String(row.upload_id), row]))
    expect(byId.size, 'an upload has one file').toBe(rows.length)
    for (const [id, { acknowledged, bytes }] of this.#begun) {
      const row = byId.get(id)
      expect(Number(row?.size), 'an upload counts with its size').toBe(bytes.length)
      if (acknowledged) expect(row?.state, 'an acknowledged file waits').toBe('waiting')
      if (row?.state !== 'waiting') continue
      expect(Number(row.file_size)).toBe(bytes.length)
      expect(String(row.hash).split(':')[0]).toBe(hashOf(bytes))
      expect(await storedHash(serverData, String(row.key)), 'an original is whole').toBe(hashOf(bytes))
    }
    const unknown = rows.filter(row => !this.#begun.has(String(row.upload_id)))
    expect(unknown.filter(row => row.state !== 'sending')).toEqual([])
    expect(unknown.length).toBeLessThanOrEqual(this.#lostBeginnings)
    const sent = rows.filter(row => row.state === 'waiting').length
    const [{ files } = { files: -1 }] = await serverData.rows('select count(*) as files from media')
    expect(Number(files), 'there is no file without its upload').toBe(sent)
    const [link] = await ada.call(listLinks, { query: {} })
    expect(link).toMatchObject({ uploads: { files: sent, waiting: sent } })
    let listed = 0
    for (let after: number | undefined; ; ) {
      const page = await ada.call(listGuestUploads, { query: { limit: 500, ...(after && { after }) } })
      listed += page.length
      after = page.at(-1)?.id
      if (page.length < 500) break
    }
    expect(listed).toBe(sent)
    await expectNoOrphans(serverData)
  }

  /** Room that was reserved and not used is free again when the reservations have expired, and no more than that. */
  async verifyRoom(url: URL, serverData: ServerData, maxBytes: number): Promise<void> {
    await serverData.rows("update guest_uploads set started_at = 0 where state = 'sending'")
    const used = this.acknowledged.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const sender = await senderOf({ url }, this.#link, 'Una')
    expect((await sender.begin(maxBytes - used + 1)).status).toBe(413)
    const rest = await sender.begin(maxBytes - used)
    expect(rest.status).toBe(201)
    expect((await sender.begin(1)).status).toBe(413)
  }

  /** The ids of finished uploads, whose own bytes are not needed any more. */
  finishedIds(): Set<string> {
    return new Set([...this.#begun].flatMap(([id, { acknowledged }]) => (acknowledged ? [id] : [])))
  }
}

/** Undefined if the server is gone. */
async function ifAnswered(response: Promise<Response>): Promise<Response | undefined> {
  try {
    return await response
  } catch (error) {
    // What fetch throws without an answer.
    if (error instanceof TypeError) return undefined
    throw error
  }
}
