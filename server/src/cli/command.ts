import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Log } from '../context.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { printable, printableLine } from '../kit/log.ts'
import { asStorageError, systemCode } from '../storage/local/disk-errors.ts'

/** Output of a command: a terminal or a log file. Escape sequences in names are neutralised. */
export interface Terminal {
  write(text: string): void
  /** Replaces the current line; for terminals only. */
  redraw(line: string): void
  isTTY: boolean
  columns: number
}

const CLEAR_LINE = '\r\x1b[2K'

export function terminalOn(stream: { write(text: string): unknown; isTTY?: boolean; columns?: number }): Terminal {
  return {
    write: text => void stream.write(printable(text)),
    redraw: line => void stream.write(`${CLEAR_LINE}${printableLine(line)}`),
    get isTTY() {
      return stream.isTTY ?? false
    },
    get columns() {
      return stream.columns ?? 80
    },
  }
}

export interface Call {
  args: string[]
  /** The directory the command was started in, for relative paths. */
  cwd: string
  config: Config
  clock: Clock
  out: Terminal
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

export interface Command {
  usage: string
  /** Resolves to the exit code. */
  run(call: Call): Promise<number>
}

/** A command refuses to run; the message is for the user. */
export class CommandError extends Error {
  constructor(sentence: string, options?: { cause?: unknown }) {
    super(sentence, options)
    this.name = 'CommandError'
  }
}

/** Wrong usage of the command line. */
export class UsageError extends Error {}

type Flags = Record<string, { type: 'boolean' | 'string' }>

/** Parses the flags and at most `mostWords` positional arguments. */
export function readArguments<F extends Flags>(args: string[], options: F, mostWords: number) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    if (positionals.length > mostWords) throw new UsageError(`“${positionals[mostWords]}” is one word too many.`)
    return { values, words: positionals }
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

/** A no-op logger for commands: failed jobs are visible in the library itself. */
export const noopLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

const SQLITE_FULL = 13
const POSTGRES_DISK_FULL = '53100'

/** Whether the disk of the files or of the database is full. */
export function isFullDisk(error: unknown): boolean {
  if ((error as { errcode?: unknown }).errcode === SQLITE_FULL) return true
  if (systemCode(error) === POSTGRES_DISK_FULL) return true
  const storageError = asStorageError(error)
  return storageError instanceof AppError && storageError.code === 'storage_full'
}
