import { KeyedMutex } from '../kit/keyed-mutex.ts'
import { nobodyWaits, withLongQueries } from '../kit/read-limits.ts'

/** Whose request it is. */
export interface WaitingGuest {
  address: string
  /** Whether nobody waits for the answer any more. */
  isGone(): boolean
}

export type GuestMutex = <T>(guest: WaitingGuest, read: () => Promise<T>) => Promise<T>

/**
 * For what takes longer the larger the library is: one at a time for all guests of a server, and the addresses take turns.
 * Anybody with a link could otherwise keep all connections to the database busy.
 */
export function createGuestMutex(): GuestMutex {
  const [ofAddress, ofAll] = [new KeyedMutex<string>(), new KeyedMutex<'all'>()]
  return (guest, read) =>
    ofAddress.run(guest.address, () =>
      ofAll.run('all', async () => {
        if (guest.isGone()) throw nobodyWaits()
        return withLongQueries('guests', read)
      }),
    )
}
