import type { FileWindow } from '../file-window.ts'

/** Random access to a file whose length is known. */
export interface SizedFile extends FileWindow {
  readonly size: number
}

/** A file that ends before its content does. */
export interface MissingEnd {
  /** How long the file should be at least; null where its header does not say. */
  readonly expectedSize: number | null
  /**
   * Nothing but the marker at the end of a JPEG may be missing, which some programs never write: only decoding shows
   * whether pixels are lost.
   */
  readonly onlyMarker?: true
}

/** For a file that should extend to `end`; undefined if it does. */
export function missingUpTo(end: number, { size }: Pick<SizedFile, 'size'>): MissingEnd | undefined {
  if (end <= size) return undefined
  // Lengths of a hostile file can be anything.
  return { expectedSize: Number.isSafeInteger(end) ? end : null }
}

export const endIsMissing: MissingEnd = { expectedSize: null }
