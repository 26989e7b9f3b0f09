import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Log } from '../context.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { printable, printableLine } from '../kit/log.ts'
import { asStorageError, systemCode } from '../storage/local/disk-errors.ts'

/** Where a command speaks: a terminal, or a file that somebody reads later. No escape sequence of a name gets there. */
export interface Terminal {
  write(text: string): void
  /** Replaces the line that the cursor is in; for terminals alone. */
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
  standsIn: string
  config: Config
  clock: Clock
  out: Terminal
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
}

export interface Command {
  usage: string
  /** Answers the exit code. */
  run(call: Call): Promise<number>
}

/** Why a command does not do what it was asked, in a sentence for the person who asked. */
export class Refusal extends Error {
  constructor(sentence: string, options?: { cause?: unknown }) {
    super(sentence, options)
    this.name = 'Refusal'
  }
}

/** The command was called in a way it does not know. */
export class Misuse extends Error {}

type Flags = Record<string, { type: 'boolean' | 'string' }>

/** Parses the flags and at most `mostWords` positional arguments. */
export function readArguments<F extends Flags>(args: string[], options: F, mostWords: number) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true, strict: true })
    if (positionals.length > mostWords) throw new Misuse(`“${positionals[mostWords]}” is one word too many.`)
    return { values, words: positionals }
  } catch (error) {
    if (error instanceof TypeError) throw new Misuse(error.message, { cause: error })
    throw error
  }
}

/** For tools, whose queue has nobody to read a log: what fails is seen in the library itself. */
export const silently: Log = { info: () => {}, warn: () => {}, error: () => {} }

const SQLITE_FULL = 13
const POSTGRES_DISK_FULL = '53100'

/** Whether the disk of the files or of the database is full. */
export function isFullDisk(error: unknown): boolean {
  if ((error as { errcode?: unknown }).errcode === SQLITE_FULL) return true
  if (systemCode(error) === POSTGRES_DISK_FULL) return true
  const heard = asStorageError(error)
  return heard instanceof AppError && heard.code === 'storage_full'
}
