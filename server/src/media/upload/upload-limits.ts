import type { Upload } from '@tus/server'
import { uploads } from '#contract/limits.ts'
import { AppError } from '../../kit/errors.ts'
import { requireUploadId, type UnfinishedUploads } from './unfinished.ts'
import { ownerOf } from './upload-id.ts'

/**
 * Refuses a new upload that is too long, one too many of its person, or more than the disk can hold beside what others
 * were promised. One at a time for each person, so that a thousand requests at once do not all find the last free place.
 * People wait for one another only for the space, each with one upload, so nobody waits for all uploads of another.
 */
export function limitUploads({ store, countOwnedBy: countOf, freeBytesFor: room }: UnfinishedUploads): void {
  const create = store.create.bind(store)
  const personMutex = createKeyedMutex<number>()
  const spaceMutex = createKeyedMutex<'space'>()

  async function createWithinCount(upload: Upload, personId: number): Promise<Upload> {
    if ((await countOf(personId)) >= uploads.unfinishedPerPerson) {
      const sentence = `You have ${uploads.unfinishedPerPerson} unfinished uploads. Please finish them first, or try again tomorrow.`
      throw new AppError('conflict', sentence)
    }
    return spaceMutex('space', () => createWithinSpace(upload, () => room(personId)))
  }

  async function createWithinSpace(upload: Upload, freeBytes: () => Promise<number>): Promise<Upload> {
    if ((upload.size ?? 0) > (await freeBytes())) throw new AppError('storage_full', 'The library has no room left.')
    return create(upload)
  }

  store.create = async upload => {
    const { size } = upload
    if (size === undefined || size > uploads.largestBytes) {
      throw new AppError('too_large', `A file can have at most ${uploads.largestBytes / 1024 ** 3} GB.`)
    }
    const personId = ownerOf(requireUploadId(upload.id))
    return personMutex(personId, () => createWithinCount(upload, personId))
  }
}

/** Runs what has the same key one after the other, in the order of the calls. */
function createKeyedMutex<Key>(): <T>(key: Key, step: () => Promise<T>) => Promise<T> {
  const last = new Map<Key, Promise<unknown>>()
  return (key, step) => {
    const result = (last.get(key) ?? Promise.resolve()).then(step)
    const settled = result
      .catch(() => undefined)
      .then(() => {
        if (last.get(key) === settled) last.delete(key)
      })
    last.set(key, settled)
    return result
  }
}
