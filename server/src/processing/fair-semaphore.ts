import { cancelled } from './errors.ts'

/** A semaphore that is fair between owners: one person's thousand files do not delay another person's single file. */
export interface FairSemaphore {
  /** Resolves to a function that releases the slot. Rejects with a ProcessingError when cancelled. */
  acquire(ownerId: number | undefined, signal?: AbortSignal): Promise<() => void>
}

export interface SemaphoreOptions {
  /** How many slots there are. */
  readonly size: number
  /** How many of them one owner may hold; less than `size` keeps a slot for the others. */
  readonly sizePerOwner: number
}

type Grant = () => void

interface Owner {
  /** Sequence number of the last slot given to this owner; 0 for none. */
  lastGrant: number
  readonly waiting: Set<Grant>
  running: number
}

/** Owner id for the server's own work. */
const SERVER = 0

export function createFairSemaphore({ size, sizePerOwner }: SemaphoreOptions): FairSemaphore {
  /** Only owners with waiting or running work. */
  const owners = new Map<number, Owner>()
  let grants = 0
  let running = 0

  function grantNext(): void {
    if (running >= size) return
    const next = nextOwner()
    if (!next) return
    const { owner, grant } = next
    owner.waiting.delete(grant)
    owner.running++
    owner.lastGrant = ++grants
    running++
    grant()
  }

  /** The waiting owner with the fewest running tasks; among equals the one served longest ago. */
  function nextOwner(): { owner: Owner; grant: Grant } | undefined {
    let next: ReturnType<typeof nextOwner>
    for (const owner of owners.values()) {
      const [grant] = owner.waiting
      if (grant && owner.running < sizePerOwner && (!next || isBefore(owner, next.owner))) next = { owner, grant }
    }
    return next
  }

  function deleteIfIdle(ownerId: number): void {
    const owner = owners.get(ownerId)
    if (owner && owner.running === 0 && owner.waiting.size === 0) owners.delete(ownerId)
  }

  function release(ownerId: number): void {
    running--
    const owner = owners.get(ownerId)
    if (owner) owner.running--
    deleteIfIdle(ownerId)
    grantNext()
  }

  return {
    acquire: (ownerId = SERVER, signal) =>
      new Promise((resolve, reject) => {
        const leave = () => {
          owners.get(ownerId)?.waiting.delete(grant)
          deleteIfIdle(ownerId)
          reject(cancelled())
        }
        const grant: Grant = () => {
          signal?.removeEventListener('abort', leave)
          resolve(() => release(ownerId))
        }
        if (signal?.aborted) return leave()
        signal?.addEventListener('abort', leave)
        const owner = owners.get(ownerId) ?? { waiting: new Set(), running: 0, lastGrant: 0 }
        owners.set(ownerId, owner)
        owner.waiting.add(grant)
        grantNext()
      }),
  }
}

function isBefore(a: Owner, b: Owner): boolean {
  return a.running < b.running || (a.running === b.running && a.lastGrant < b.lastGrant)
}
