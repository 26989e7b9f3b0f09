/** A database of the browser with one store. It is opened for each use, so that no page keeps another from deleting it. */
export function oneStore(name: string, store: string, options?: IDBObjectStoreParameters) {
  function open(): Promise<IDBDatabase> {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore(store, options)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  }

  /** Resolves to what the request found, once the transaction is complete. */
  return async function inTransaction<T>(
    mode: IDBTransactionMode,
    act: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const database = await open()
    try {
      return await new Promise<T>((resolve, reject) => {
        const transaction = database.transaction(store, mode)
        const request = act(transaction.objectStore(store))
        transaction.oncomplete = () => resolve(request.result)
        transaction.onabort = () => reject(transaction.error)
      })
    } finally {
      database.close()
    }
  }
}
