import { inStore, inStores, type KeptItem, type KeptList, keptPictures } from './device-store.ts'

/** Albums and folders that the person keeps on this device: which ones, and what belongs to each. */

const listeners = new Set<() => void>()

/** Called when something of it has changed in this tab. */
export function onKeptChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

export function readKept(): Promise<KeptList[]> {
  return inStore('kept', 'readonly', store => store.getAll())
}

/** For a new one, or one that is still kept: another tab may have removed it. Resolves to whether it is kept. */
export async function writeKept(list: KeptList, { isNew = false } = {}): Promise<boolean> {
  let written = false
  await inStores('readwrite', ({ kept }) => {
    const read = kept.get(list.key)
    read.onsuccess = () => {
      if (read.result === undefined && !isNew) return
      written = true
      kept.put(list)
    }
  })
  notify()
  return written
}

/** Of one list, and only while it is kept. */
export async function writeKeptItems(list: string, items: readonly Omit<KeptItem, 'list'>[]): Promise<void> {
  await inStores('readwrite', ({ kept, keptItems }) => {
    const read = kept.get(list)
    read.onsuccess = () => {
      if (read.result === undefined) return
      for (const item of items) keptItems.put({ ...item, list } satisfies KeptItem)
    }
  })
}

export function readKeptItems(list: string): Promise<KeptItem[]> {
  return inStore('keptItems', 'readonly', store => store.index('list').getAll(list))
}

/** Pictures that no other list has leave the cache, too. */
export async function deleteKeptItems(items: readonly KeptItem[]): Promise<void> {
  const unused: string[] = []
  await inStores('readwrite', ({ keptItems }) => {
    for (const { list, address } of items) {
      keptItems.delete([list, address])
      const count = keptItems.index('address').count(address)
      count.onsuccess = () => count.result === 0 && unused.push(address)
    }
  })
  const cache = await globalThis.caches?.open(keptPictures)
  await Promise.all(unused.map(address => cache?.delete(address)))
}

export async function removeKept(key: string): Promise<void> {
  await inStore('kept', 'readwrite', store => store.delete(key))
  await deleteKeptItems(await readKeptItems(key))
  notify()
}
