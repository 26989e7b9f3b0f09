import { noteUnfinished } from './flag.ts'
import type { UploadRecord } from './record.ts'

/** The list of unfinished uploads, kept in this browser. The files themselves stay where they are. */

const NAME = 'heirloom-uploads'
const STORE = 'files'

export function readRecords(): Promise<UploadRecord[]> {
  return inStore('readonly', store => store.getAll())
}

export async function saveRecords(records: readonly UploadRecord[]): Promise<void> {
  noteUnfinished(true)
  await inStore('readwrite', store => {
    for (const record of records) store.put(record)
    return store.count()
  })
}

export async function deleteRecords(keys: readonly string[]): Promise<void> {
  const left = await inStore('readwrite', store => {
    for (const key of keys) store.delete(key)
    return store.count()
  })
  if (left === 0) noteUnfinished(false)
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode)
      const request = act(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
