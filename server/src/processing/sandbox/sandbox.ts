import { mkdirSync } from 'node:fs'
import { type BubblewrapOptions, bubblewrapCommand, type ProgramFiles, workerCode } from './bubblewrap.ts'
import { type Exchange, openExchange } from './exchange.ts'

/**
 * - full: each program has no network and sees no files but its own code, its input and its output.
 * - partial: Node limits which files our own JavaScript may open; nothing limits native code, ffmpeg or exiftool.
 * - none: everything that decodes files can do what the server can.
 */
export type SandboxLevel = 'full' | 'partial' | 'none'

/** How the programs that read foreign files are started. */
export interface Sandbox {
  readonly level: SandboxLevel
  /** For a process that takes many files in its life; undefined where it uses the files where they are. */
  openExchange(): Exchange | undefined
  /** The command that runs one of our own worker programs. */
  worker(program: string, execArgv: readonly string[], exchange: Exchange | undefined): string[]
  /** The command that runs another program. */
  program(command: readonly string[], files: ProgramFiles): string[]
}

export const noSandbox: Sandbox = {
  level: 'none',
  openExchange: () => undefined,
  worker: (program, execArgv) => [process.execPath, ...execArgv, program],
  program: command => [...command],
}

/** With bubblewrap. Exchange folders are created in `folder`. */
export function fullSandbox(bubblewrap: BubblewrapOptions, folder: string): Sandbox {
  return {
    level: 'full',
    openExchange: () => exchangeIn(folder),
    worker: (program, execArgv, exchange) =>
      bubblewrapCommand(bubblewrap, [process.execPath, ...execArgv, program], {
        code: workerCode,
        ...exchangeMounts(exchange),
      }),
    program: (command, files) => bubblewrapCommand(bubblewrap, command, files),
  }
}

/** With Node's permission model alone. */
export function partialSandbox(folder: string): Sandbox {
  return {
    ...noSandbox,
    level: 'partial',
    openExchange: () => exchangeIn(folder),
    worker(program, execArgv, exchange) {
      const { reads, writes } = exchangeMounts(exchange)
      const permissions = [
        ...['--permission', '--allow-addons', '--allow-worker'],
        ...[...workerCode, ...reads, ...writes].map(path => `--allow-fs-read=${path}`),
        ...writes.map(path => `--allow-fs-write=${path}`),
      ]
      return [process.execPath, ...permissions, ...execArgv, program]
    },
  }
}

/** What an exchange lets a process see. */
export function exchangeMounts(exchange: Exchange | undefined) {
  return { reads: exchange ? [exchange.inbox] : [], writes: exchange ? [exchange.outbox] : [] }
}

function exchangeIn(folder: string): Exchange {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return openExchange(folder)
}
