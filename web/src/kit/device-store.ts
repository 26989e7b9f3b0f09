/**
 * What this device keeps of the library for times without a connection, in IndexedDB: the latest answers of the server,
 * which pictures are in the cache, and what waits to be sent. Pages and the service worker share it. It belongs to one
 * person.
 */

export interface Keeper {
  /** Whose data this is. */
  person: number
  /** When the server last answered this person, in milliseconds. */
  contactAt: number
  /** The session has ended by itself: nothing is shown until the same person signs in again. */
  locked: boolean
}

export interface SavedAnswer {
  address: string
  text: string
  savedAt: number
}

export interface SavedPicture {
  /** Its URL without the signature; the path contains a version. */
  address: string
  size: number
  usedAt: number
}

/** An album or folder that the person keeps on this device. */
export interface KeptList {
  /** As in `album 5`. */
  key: string
  kind: 'album' | 'folder'
  id: number
  name: string
  files: number
  /** How many of them are on the device. */
  done: number
  /** How many could not be loaded. Undefined in what an older version has written. */
  missing?: number
  bytes: number
  /** `full`: the device has no room for the rest. */
  state: 'loading' | 'kept' | 'full'
}

/** A picture in the cache, or an answer of the server, of a kept list. */
export interface KeptItem {
  list: string
  address: string
  size: number
  savedAt: number
  /** Of an answer. */
  text?: string
}

/** A call that waits to be sent to the server. */
export interface StoredCall {
  /** Given by the store: the order for all tabs. */
  seq?: number
  /** Of the page's making. */
  id: string
  person: number
  /** The endpoint, as in `POST /api/notes/media/:id`. */
  call: string
  input: unknown
  /** What its place shows until it is sent. */
  shown: unknown
  /** When it was made, in milliseconds. */
  at: number
}

/** Without an answer of the server for this long, nothing of what is kept is shown any more. */
const MAX_DAYS_WITHOUT_CONTACT = 30

/** The pictures that were shown lately, in the Cache Storage. */
export const recentPictures = 'pictures'
/** Those of albums and folders that the person keeps on this device, which are never removed to make room. */
export const keptPictures = 'kept-pictures'

const NAME = 'heirloom-device'
const stores = {
  keeper: 'keeper',
  answers: 'answers',
  pictures: 'pictures',
  outbox: 'outbox',
  kept: 'kept',
  keptItems: 'keptItems',
} as const

let opened: Promise<IDBDatabase> | undefined

function open(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(NAME, 2)
    request.onupgradeneeded = ({ oldVersion }) => {
      const database = request.result
      if (oldVersion < 1) {
        database.createObjectStore(stores.keeper)
        database.createObjectStore(stores.answers, { keyPath: 'address' }).createIndex('savedAt', 'savedAt')
        database.createObjectStore(stores.pictures, { keyPath: 'address' }).createIndex('usedAt', 'usedAt')
      }
      database.createObjectStore(stores.outbox, { keyPath: 'seq', autoIncrement: true })
      database.createObjectStore(stores.kept, { keyPath: 'key' })
      const items = database.createObjectStore(stores.keptItems, { keyPath: ['list', 'address'] })
      items.createIndex('list', 'list')
      items.createIndex('address', 'address')
    }
    request.onsuccess = () => {
      // A page of a later version must not wait for this one.
      request.result.onversionchange = () => {
        request.result.close()
        opened = undefined
      }
      request.result.onclose = () => {
        opened = undefined
      }
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
  // Without storage, as in some private windows, nothing is kept; the next call tries again.
  opened.catch(() => {
    opened = undefined
  })
  return opened
}

type Act<T> = (store: IDBObjectStore) => IDBRequest<T>

/** Safari closes databases of pages in the background without saying so. */
async function begin(names: string | string[], mode: IDBTransactionMode): Promise<IDBTransaction> {
  try {
    return (await open()).transaction(names, mode)
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error
    opened = undefined
    return (await open()).transaction(names, mode)
  }
}

export async function inStore<T>(name: keyof typeof stores, mode: IDBTransactionMode, act: Act<T>): Promise<T> {
  const transaction = await begin(name, mode)
  return new Promise<T>((resolve, reject) => {
    const request = act(transaction.objectStore(name))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error)
  })
}

export function readKeeper(): Promise<Keeper | undefined> {
  return inStore('keeper', 'readonly', store => store.get('keeper'))
}

/** What the service worker needs to name the new address of this device, where the browser changes it. */
export interface PushRenewal {
  person: number
  token: string
  publicKey: string
}

export function readPushRenewal(): Promise<PushRenewal | undefined> {
  return inStore('keeper', 'readonly', store => store.get('push'))
}

export async function writePushRenewal(renewal: PushRenewal): Promise<void> {
  await inStore('keeper', 'readwrite', store => store.put(renewal, 'push'))
}

/** In one transaction, so that no other tab changes it in between. Undefined leaves it as it is. */
export async function updateKeeper(change: (keeper: Keeper | undefined) => Keeper | undefined): Promise<void> {
  await inStore('keeper', 'readwrite', store => {
    const read: IDBRequest<Keeper | undefined> = store.get('keeper')
    read.onsuccess = () => {
      const changed = change(read.result)
      if (changed !== undefined) store.put(changed, 'keeper')
    }
    return read
  })
}

const OPENED = 'opened notification'

/** What a clicked notification is about, for the window that the service worker opens. Not in its address, which anybody can write. */
export async function writeOpened(opened: unknown): Promise<void> {
  await inStore('keeper', 'readwrite', store => store.put(opened, OPENED))
}

/** Only once. */
export function takeOpened(): Promise<unknown> {
  return inStore('keeper', 'readwrite', store => {
    const read = store.get(OPENED)
    store.delete(OPENED)
    return read
  })
}

/** Makes the device this person's, and erases what anybody else left on it. */
export async function claimDevice(person: number, isStillSignedIn: () => boolean): Promise<void> {
  if ((await readKeeper())?.person === person) return
  await deleteCaches()
  await inStores('readwrite', stores => {
    const read = stores.keeper.get('keeper')
    read.onsuccess = () => {
      const keeper: Keeper | undefined = read.result
      // Another tab may have claimed it by now.
      if (keeper?.person === person || !isStillSignedIn()) return
      for (const store of Object.values(stores)) store.clear()
      stores.keeper.put({ person, contactAt: Date.now(), locked: false } satisfies Keeper, 'keeper')
    }
  })
}

/** Whether what is kept may be shown to this person, or to anyone if no person is given, as in the service worker. */
export function mayShow(keeper: Keeper | undefined, person?: number): boolean {
  if (keeper === undefined || keeper.locked) return false
  if (person !== undefined && keeper.person !== person) return false
  return Date.now() - keeper.contactAt < MAX_DAYS_WITHOUT_CONTACT * 86_400_000
}

/** The latest one, or the one that belongs to a kept album or folder. */
export async function readAnswer(address: string): Promise<Pick<SavedAnswer, 'text' | 'savedAt'> | undefined> {
  const [recent, kept] = await Promise.all([
    inStore<SavedAnswer | undefined>('answers', 'readonly', store => store.get(address)),
    inStore<KeptItem | undefined>('keptItems', 'readonly', store => store.index('address').get(address)),
  ])
  if (kept === undefined || (recent?.savedAt ?? 0) >= kept.savedAt) return recent
  return { text: kept.text ?? '', savedAt: kept.savedAt }
}

export function countAnswers(): Promise<number> {
  return inStore('answers', 'readonly', store => store.count())
}

/** Enough for the pages of a large library that a person looks at in a month. */
const MAX_ANSWERS = 1_500

export async function writeAnswers(answers: readonly SavedAnswer[]): Promise<void> {
  const count = await inStore('answers', 'readwrite', store => {
    for (const answer of answers) store.put(answer)
    return store.count()
  })
  if (count > MAX_ANSWERS) await deleteOldest('answers', 'savedAt', count - MAX_ANSWERS * 0.8)
}

export function readPictures(): Promise<SavedPicture[]> {
  return inStore('pictures', 'readonly', store => store.index('usedAt').getAll())
}

export async function writePictures(pictures: readonly SavedPicture[]): Promise<void> {
  await inStore('pictures', 'readwrite', store => {
    for (const picture of pictures) store.put(picture)
    return store.count()
  })
}

export async function deletePictures(addresses: readonly string[]): Promise<void> {
  await inStore('pictures', 'readwrite', store => {
    for (const address of addresses) store.delete(address)
    return store.count()
  })
}

/** Oldest first. */
export function readOutbox(): Promise<StoredCall[]> {
  return inStore('outbox', 'readonly', store => store.getAll())
}

/** Resolves to its place in the order. Fails for a person who has signed out by then: nothing may be left of them. */
export async function putInOutbox(call: StoredCall, isStillSignedIn: () => boolean): Promise<number> {
  await claimDevice(call.person, isStillSignedIn)
  let seq = 0
  await inStores('readwrite', stores => {
    const read = stores.keeper.get('keeper')
    read.onsuccess = () => {
      const keeper: Keeper | undefined = read.result
      // A sign-out erases the device, also between two steps of this.
      if (keeper?.person !== call.person || !isStillSignedIn()) return stores.outbox.transaction.abort()
      const put = stores.outbox.put(call)
      put.onsuccess = () => {
        seq = Number(put.result)
      }
    }
  })
  return seq
}

export async function deleteFromOutbox(seq: number): Promise<void> {
  await inStore('outbox', 'readwrite', store => store.delete(seq))
}

function deleteOldest(name: 'answers' | 'pictures', index: string, count: number): Promise<unknown> {
  let left = Math.ceil(count)
  return inStore(name, 'readwrite', store => {
    const request = store.index(index).openCursor()
    request.onsuccess = () => {
      const cursor = request.result
      if (cursor === null || left-- <= 0) return
      cursor.delete()
      cursor.continue()
    }
    return request
  })
}

/** Removes what was looked at lately, and leaves who it belongs to. */
export async function eraseRecent(): Promise<void> {
  await globalThis.caches?.delete(recentPictures)
  for (const name of ['answers', 'pictures'] as const) await inStore(name, 'readwrite', store => store.clear())
}

/** Removes everything, for instance when the person signs out. */
export async function eraseDevice(): Promise<void> {
  await deleteCaches()
  await inStores('readwrite', stores => {
    for (const store of Object.values(stores)) store.clear()
  })
}

async function deleteCaches(): Promise<void> {
  for (const name of [recentPictures, keptPictures]) await globalThis.caches?.delete(name)
}

type Stores = Record<keyof typeof stores, IDBObjectStore>

export async function inStores(mode: IDBTransactionMode, act: (stores: Stores) => void): Promise<void> {
  const transaction = await begin(Object.values(stores), mode)
  await new Promise<void>((resolve, reject) => {
    const all = Object.values(stores).map(name => [name, transaction.objectStore(name)] as const)
    act(Object.fromEntries(all) as Stores)
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}
