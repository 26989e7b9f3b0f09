import type { ServerResponse } from 'node:http'
import { zips } from '#contract/limits.ts'
import { AppError } from '../../kit/errors.ts'
import { KeyedMutex } from '../../kit/keyed-mutex.ts'
import { TooManyRequests } from '../../kit/rate-limiter.ts'

/** Who may have how many ZIPs open on one server: a person, the guests of a link, everybody. */
export interface ZipHolder {
  key: string
  zips: number
  /** In all of them together. */
  files: number
}

export const zipsOfEverybody: ZipHolder = { key: 'everybody', ...zips.ofAll }

/** An open ZIP, from before its files are looked up until the response is closed. */
export interface ZipSlot {
  /** Throws 429 if its holders have too many files in their open ZIPs. To be called before `prepare`. */
  weigh(files: number): void
  /**
   * Makes the list of its files. One at a time for members and one for guests, because all names are in memory until it is
   * done. People (addresses) take turns, and small ZIPs do not wait for large ones.
   */
  prepare<T>(make: () => Promise<T>): Promise<T>
  /** Throws when the client has gone. */
  throwIfGone(): void
}

interface OpenZip {
  holders: readonly ZipHolder[]
  files: number
}

type ZipReaders = 'members' | 'guests'

/** Limits the open ZIPs of a server: each has open files and a temporary file for as long as a slow client takes. */
export class ZipSlots {
  readonly #open = new Set<OpenZip>()
  readonly #preparing = new KeyedMutex<string>()

  /** Released when the response is closed. The first holder is the person or the address whose turn it is. */
  take(response: ServerResponse, readers: ZipReaders, holders: readonly ZipHolder[]): ZipSlot {
    const throwIfGone = () => {
      if (response.destroyed) throw new AppError('timed_out', 'request.nobodyWaits')
    }
    throwIfGone()
    this.refuseUnlessFree(holders, 0)
    const own: OpenZip = { holders, files: 0 }
    this.#open.add(own)
    response.once('close', () => this.#open.delete(own))
    return {
      throwIfGone,
      weigh: files => {
        this.#refuseTooManyFiles(holders, files)
        own.files = files
      },
      prepare: make => {
        const queue = `${own.files > zips.small ? 'large' : 'small'} of ${readers}`
        // Each person or address has one at a time in the queue.
        return this.#preparing.run(`${queue}: ${holders[0]?.key}`, () =>
          this.#preparing.run(queue, async () => {
            throwIfGone()
            return make()
          }),
        )
      },
    }
  }

  /** Throws 429 unless another ZIP of this many files could be opened now. */
  refuseUnlessFree(holders: readonly ZipHolder[], files: number): void {
    for (const { key, zips } of holders) if (this.#of(key).length >= zips) throw tooManyZips()
    this.#refuseTooManyFiles(holders, files)
  }

  #refuseTooManyFiles(holders: readonly ZipHolder[], files: number): void {
    for (const holder of holders) {
      const others = this.#of(holder.key).reduce((sum, zip) => sum + zip.files, 0)
      if (others + files > holder.files) throw tooManyZips()
    }
  }

  #of(key: string): OpenZip[] {
    return [...this.#open].filter(({ holders }) => holders.some(holder => holder.key === key))
  }
}

function tooManyZips(): TooManyRequests {
  return new TooManyRequests(60, 'zip.several')
}
