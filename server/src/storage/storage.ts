import type { Readable } from 'node:stream'
import type { SafePath } from '#server/kit/safe-path.ts'

/**
 * Object storage of the library. Objects are immutable: a new version gets a new key. `keys.ts` defines valid keys; the
 * extension of the key decides the MIME type.
 */
export interface Storage {
  /** Durable once it resolves. On failure or abort nothing is left. Never overwrites: 409 if the key exists. */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: { signal?: AbortSignal }): Promise<{ size: number }>
  /** Moves a local file into storage, as durably as `put` and without overwriting. On failure it stays at `path`. */
  putFile(key: string, path: SafePath): Promise<{ size: number }>
  /** `size` is that of the whole object, even with a range. The stream must be read or destroyed. */
  read(key: string, range?: ByteRange): Promise<{ stream: Readable; size: number }>
  stat(key: string): Promise<{ size: number; modifiedAt: Date } | undefined>
  /** Ignores missing objects. */
  remove(keys: readonly string[]): Promise<void>
  /** Every object whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<StoredObject>
  /** Runs `work` with the path of a local copy, which must not be changed and is valid only until `work` is done. */
  withLocalCopy<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /**
   * A URL that needs no credentials and expires within an hour. It is stable for a while, so that browsers can cache.
   * With `download`, a browser saves the object under that name. Synchronous, since a gallery page needs a thousand.
   */
  signedUrl(key: string, options?: { download?: string }): string
  /** For URLs of small pictures, which a client composes from their keys: see `PictureUrls`. */
  pictureUrls(): PictureUrls
  /** Removes partial data of writers that were killed before this time. */
  removeUnfinished(startedBefore: Date): Promise<void>
  /** Throws, with the reason, unless objects can be written and read. */
  check(): Promise<void>
}

/**
 * How to compose the URL of a thumbnail or of the next size: `base`, the escaped key, `?`, `query` and, where the store
 * signs each object, the result of `sign`. They expire like other signed URLs and are as stable.
 */
export interface PictureUrls {
  base: string
  query: string
  sign: ((key: string) => string) | null
}

/** Both ends are inclusive, as in HTTP; without `end`, up to the last byte. */
export interface ByteRange {
  start: number
  end?: number
}

export interface StoredObject {
  key: string
  size: number
  modifiedAt: Date
}
