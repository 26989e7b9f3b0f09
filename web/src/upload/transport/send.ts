import { getMedia } from '#contract/media.ts'
import { ApiError, call } from '../../kit/api.ts'
import { texts } from '../texts.ts'
import { persistently } from './connection.ts'
import { formFor, largeParts, type Parcel, type PartRole } from './parcel.ts'
import { sendForm } from './send-form.ts'
import { sendResumably } from './send-resumably.ts'

/** Where the large parts of a file go on, as far as they were begun. */
export type Addresses = Map<PartRole, string>

export interface Sending {
  /** Where uploads go: an origin, or nothing for the page's own. */
  host: string
  signal: AbortSignal
  addresses: Addresses
  onAddressesChanged: () => void
  /** From 0 to 1. */
  onProgress: (done: number) => void
  onWaiting: (waiting: boolean) => void
}

/** What became of it: a file of the library with the hash that the server computed, or one that was there already. */
export type Sent = ({ outcome: 'stored'; hash: string } | { outcome: 'duplicate'; name: string }) & {
  /** The clip was not this photo's, and became a file of its own. */
  clipIsSeparate: boolean
}

/** Sends a file however long it takes and whatever happens to the connection, until it is safe or refused. */
export async function send(parcel: Parcel, sending: Sending): Promise<Sent> {
  const { addresses } = sending
  const begunBefore = addresses.size > 0
  try {
    return await sendOnce(parcel, sending)
  } catch (error) {
    // The large parts waited on the server longer than it keeps them, so they have to go again.
    if (!begunBefore || !(error instanceof ApiError) || error.status !== 404) throw error
    addresses.clear()
    return sendOnce(parcel, sending)
  }
}

async function sendOnce(parcel: Parcel, sending: Sending): Promise<Sent> {
  const meter = new Meter(totalOf(parcel), sending)
  const ids = new Map<PartRole, string>()
  for (const [role, part] of largeParts(parcel)) {
    ids.set(role, await sendPart(role, part, sending, meter))
    meter.show(role, part.size)
  }
  return finish(parcel, ids, sending, meter)
}

function sendPart(role: PartRole, part: Blob, sending: Sending, meter: Meter): Promise<string> {
  const { host, signal, addresses, onAddressesChanged } = sending
  const onAddress = (address: string | undefined) => {
    if (address === undefined) addresses.delete(role)
    else addresses.set(role, address)
    onAddressesChanged()
  }
  const attempt = () =>
    sendResumably(part, {
      host,
      signal,
      address: addresses.get(role),
      onAddress,
      onProgress: bytes => meter.show(role, bytes),
    })
  return persistently(() => whileReadable(part, attempt), sending)
}

/** A browser does not tell a broken line from a memory card that was pulled out; only the one is worth waiting for. */
async function whileReadable<T>(file: Blob, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    await file
      .slice(0, 1)
      .arrayBuffer()
      .catch(cause => {
        throw new Error(texts.errors.unreadable, { cause })
      })
    throw error
  }
}

async function finish(parcel: Parcel, ids: Map<PartRole, string>, sending: Sending, meter: Meter): Promise<Sent> {
  const { host, signal } = sending
  const form = formFor(parcel, ids)
  let tries = 0
  const attempt = () => {
    tries++
    return sendForm(form, { host, signal, onProgress: bytes => meter.show('form', bytes) })
  }
  const answer = await persistently(() => whileReadable(parcel.original, attempt), sending)
  const clips = new Set(answer.separate_clips)
  const clipIsSeparate = clips.size > 0
  const stored = answer.files.find(file => !clips.has(file.id))
  if (stored) return { outcome: 'stored', hash: stored.hash, clipIsSeparate }
  const duplicate = answer.duplicates.find(file => !clips.has(file.id))
  if (!duplicate) throw new ApiError(0, 'unreadable', texts.errors.upload)
  const nothingNew = !parcel.motion || (clipIsSeparate && answer.files.length === 0)
  if (tries === 1 && nothingNew) return { outcome: 'duplicate', name: duplicate.original_name, clipIsSeparate }
  // An earlier try arrived and only its answer was lost, or a clip joined its still: what the library has is what we sent.
  const { hash } = await persistently(() => call(getMedia, { params: { id: duplicate.id } }, signal), sending)
  return { outcome: 'stored', hash, clipIsSeparate }
}

function totalOf({ original, converted, motion, pictures }: Parcel): number {
  const made = pictures?.variants.flatMap(({ blob }) => (blob === original ? [] : [blob])) ?? []
  return [original, converted, motion, ...made].reduce((sum, part) => sum + (part?.size ?? 0), 0)
}

/** Adds up what went out over several requests. Whatever goes out shows that the connection is there. */
class Meter {
  #total: number
  #sending: Sending
  #sent = new Map<string, number>()

  constructor(total: number, sending: Sending) {
    this.#total = total
    this.#sending = sending
  }

  show(part: string, bytes: number): void {
    this.#sent.set(part, bytes)
    const sent = [...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0)
    this.#sending.onWaiting(false)
    this.#sending.onProgress(Math.min(1, sent / Math.max(1, this.#total)))
  }
}
