import type { ImportProblem } from '#contract/imports.ts'
import { imports } from '#contract/limits.ts'
import type { Scratch } from '../../kit/safe-path.ts'
import type { SourceFile } from '../plan.ts'

/** A file of a tree whose parts may be folders and archives. */
export interface TreeFile extends SourceFile {
  /** Folders and name, separated by slashes, in NFC. */
  path: string
  /** What `parse` made of it. */
  parsed?: unknown
  /** Its bytes can only be read in the order of the archive. */
  sequential?: boolean
}

export interface SourceTree {
  files: TreeFile[]
  problems: ImportProblem[]
  /** Says which files will be opened before those in front of them in a sequential archive. */
  openEarly(files: readonly SourceFile[]): void
  close(): Promise<void>
}

export interface TreeOptions {
  /** Whether a small file is to be parsed while the tree is read. */
  isParsed: (path: string) => boolean
  parse: (path: string, bytes: Buffer) => unknown
  /** Left out, such as the data folder itself. */
  leaveOut: string
  scratch: Scratch
  signal: AbortSignal
}

/** A source cannot be read at all; the message says what to do. */
export class SourceError extends Error {}

/** What a part of the tree adds to it. */
export interface TreePart {
  add(file: TreeFile): void
  problem(problem: ImportProblem): void
  atEnd(close: () => Promise<void>): void
  /** For parts that can only be read in order. */
  early(listener: (files: readonly SourceFile[]) => void): void
}

/** The names of a path in an archive. Undefined: it leads out of the archive, or no system can have such names. */
export function safeParts(path: string): string[] | undefined {
  if (path.length > imports.pathLength || /[\0\\]/.test(path) || /^([a-z]:|\/)/i.test(path)) return undefined
  const parts = path
    .normalize('NFC')
    .split('/')
    .filter(part => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? undefined : parts
}

/** Collects a small file, for parsing. Undefined: it is larger than it may be. */
export async function collect(bytes: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > imports.sidecarBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
