import { rehash as constants } from '#contract/limits.ts'
import { type MediaFile, rehashMedia } from '#contract/media.ts'
import { call } from '../../../kit/api.ts'
import { texts } from '../../texts.ts'
import { hashStream } from './hash-stream.ts'

export type RehashState = 'waiting' | 'downloading' | 'hashing' | 'updating' | 'completed' | 'error'

export interface RehashStep {
  state: RehashState
  percent: number
}

const { begun, downloading, downloaded, hashing, updating, completed } = constants.progress

/** The first step: the file is asked where its original is. */
export const firstStep: RehashStep = { state: 'downloading', percent: begun }

/** Reads the original anew and tells the server its hash, which compares it with what it has stored. */
export async function rehashFile(file: MediaFile, onStep: (step: RehashStep) => void): Promise<void> {
  onStep({ state: 'downloading', percent: downloading })
  const body = await download(file.download_url)
  let received = 0
  const hash = await hashStream(
    body,
    count => {
      received += count
      onStep({ state: 'downloading', percent: downloadPercent(received, file.file_size) })
    },
    () => onStep({ state: 'hashing', percent: hashing }),
  )
  if (received === 0) throw new Error(texts.rehash.emptyBody)
  onStep({ state: 'updating', percent: updating })
  await call(rehashMedia, { params: { id: file.id }, body: { hash } })
  onStep({ state: 'completed', percent: completed })
}

/** Straight from the storage, which knows nothing of sessions. */
async function download(address: string): Promise<ReadableStream<Uint8Array>> {
  if (address === '') throw new Error(texts.rehash.noAddress)
  const response = await fetch(address, { credentials: 'omit', cache: 'no-store' })
  if (!response.ok) throw new Error(texts.rehash.downloadFailed(response.status))
  if (response.body === null) throw new Error(texts.rehash.emptyBody)
  return response.body
}

/** The download takes the band from 10 to 50 percent. */
export function downloadPercent(received: number, size: number): number {
  const part = size === 0 ? 1 : Math.min(1, received / size)
  return Math.round(downloading + part * (downloaded - downloading))
}
