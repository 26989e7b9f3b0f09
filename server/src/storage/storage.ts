import type { Readable } from 'node:stream'
import type { SafePath } from '#server/kit/safe-path.ts'

/**
 * Where the library's bytes live. An object is written once under a key and never changed: what is made anew gets a new
 * key. `keys.ts` says what a key may look like; its extension alone decides the type an object is served as.
 */
export interface Storage {
  /**
   * Resolves when the bytes will outlive a power cut. On any failure, an abort or an error of the source itself,
   * nothing is left. A key that is taken stays as it is: 409.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: { signal?: AbortSignal }): Promise<{ size: number }>
  /**
   * Takes over a finished file of this machine: afterwards it is gone from `path`. On failure it is still there, and
   * nothing else is. As durable as `put`, and as unwilling to overwrite.
   */
  putFile(key: string, path: SafePath): Promise<{ size: number }>
  /** The bytes, or a range of them; `size` is the whole object's. The stream must be read or destroyed. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; size: number }>
  stat(key: string): Promise<{ size: number; modifiedAt: Date } | undefined>
  /** Keys with nothing behind them are fine. */
  remove(keys: readonly string[]): Promise<void>
  /** Every object whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Gives `work` a file of this machine with the bytes: to read, not to write, and only until `work` is done. */
  withLocalCopy<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /**
   * An address that opens this object without credentials for at most an hour. It stays the same within its window, so
   * that browsers cache. With `download`, a browser saves it under that name. Signing is arithmetic and never waits: one
   * page of the gallery asks for a thousand of these.
   */
  signedUrl(key: string, options?: { download?: string }): string
  /** Removes what writers that died before this moment have left half written. */
  removeUnfinished(begunBefore: Date): Promise<void>
  /** Throws, with the reason, unless objects can be written and read. */
  check(): Promise<void>
}

/** Both ends count, as in HTTP; without `end`, up to the last byte. */
export interface ByteRange {
  start: number
  end?: number
}

export interface StoredObject {
  key: string
  size: number
  modifiedAt: Date
}
