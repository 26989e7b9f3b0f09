import { closeSync, mkdirSync } from 'node:fs'
import { dirname, isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Exchange, openExchange } from './exchange.ts'

/**
 * - full: each program has no network and sees no files but its own code, its input and its output.
 * - partial: Node limits which files our own JavaScript may open; nothing limits native code, ffmpeg or exiftool.
 * - none: everything that decodes files can do what the server can.
 */
export type SandboxLevel = 'full' | 'partial' | 'none'

/** How programs that read untrusted files are started. */
export interface Sandbox {
  readonly level: SandboxLevel
  /** For a process that reads many files; undefined if it can access files directly. */
  openExchange(): Exchange | undefined
  /** The command that runs one of our own worker programs. */
  worker(program: string, execArgv: readonly string[], exchange: Exchange | undefined): string[]
  /** The command that runs another program. */
  program(command: readonly string[], files: ProgramFiles): string[]
  /** No program can be started after it. */
  close(): void
}

export const noSandbox: Sandbox = {
  level: 'none',
  openExchange: () => undefined,
  worker: (program, execArgv) => [process.execPath, ...execArgv, program],
  program: command => [...command],
  close: () => undefined,
}

/** With bubblewrap. Exchange folders are created in `folder`. */
export function fullSandbox(bubblewrap: BubblewrapOptions, folder: string): Sandbox {
  return {
    level: 'full',
    openExchange: () => exchangeIn(folder),
    worker: (program, execArgv, exchange) =>
      bubblewrapCommand(bubblewrap, [process.execPath, ...execArgv, program], {
        code: codeOf(program),
        ...exchangeMounts(exchange),
      }),
    program: (command, files) => bubblewrapCommand(bubblewrap, command, files),
    close: () => bubblewrap.syscallFilter !== undefined && closeSync(bubblewrap.syscallFilter),
  }
}

/** With Node's permission model only. */
export function partialSandbox(folder: string): Sandbox {
  return {
    ...noSandbox,
    level: 'partial',
    openExchange: () => exchangeIn(folder),
    worker(program, execArgv, exchange) {
      const { reads, writes } = exchangeMounts(exchange)
      const permissions = [
        ...['--permission', '--allow-addons', '--allow-worker'],
        ...[...codeOf(program), ...reads, ...writes].map(path => `--allow-fs-read=${path}`),
        ...writes.map(path => `--allow-fs-write=${path}`),
      ]
      return [process.execPath, ...permissions, ...execArgv, program]
    },
  }
}

/** The folders of an exchange, as mounts. */
export function exchangeMounts(exchange: Exchange | undefined) {
  return { reads: exchange ? [exchange.inbox] : [], writes: exchange ? [exchange.outbox] : [] }
}

function exchangeIn(folder: string): Exchange {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return openExchange(folder)
}

/** What a program in the sandbox can see, in addition to the system's shared libraries. */
export interface ProgramFiles {
  /** The program and what it loads. Missing paths are ignored. */
  readonly code: readonly string[]
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
}

export interface BubblewrapOptions {
  /** The bwrap program. */
  readonly path: string
  /** Folders that are hidden even if a parent folder is visible. */
  readonly hidden: readonly string[]
  /** Bubblewrap before 0.8 cannot forbid user namespaces inside the sandbox. */
  readonly disableUserNamespaces: boolean
  /** An open file with the filter of `syscallFilter`. Undefined: all system calls are allowed. */
  readonly syscallFilter: number | undefined
}

const projectFolder = fileURLToPath(new URL('../../../../', import.meta.url))

/** What a worker program loads. Not the whole project folder, which contains the `.env` file. */
function codeOf(program: string): string[] {
  const shared = ['package.json', 'node_modules', 'contract/src', 'server/src/processing']
  return [process.execPath, ...shared.map(name => projectFolder + name), dirname(program)]
}

/** Shared libraries and what the loader needs to find them. Debian links some of them from /etc/alternatives. */
const LIBRARIES = [
  ...['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/local/lib', '/usr/local/lib64'],
  ...['/nix/store', '/gnu/store', '/etc/ld.so.cache', '/etc/alternatives', '/etc/ld-musl-x86_64.path'],
]

/**
 * No network, no other processes, no capabilities, no /proc. The program is process 1 of its namespace and the only child
 * of bwrap, which dies with the server.
 */
const ISOLATION = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--new-session', '--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL'],
]

/** Not one of those that Node passes to a child process. */
const FILTER_FD = '9'

/**
 * Opens a file of this process, which may have no name, for bwrap, and reads it from the start. `exec` keeps the pid, which is
 * the one that is watched.
 */
function withFilter(path: string, descriptor: number): string[] {
  const script = `exec ${FILTER_FD}<"$0"; exec "$@"`
  return ['/bin/sh', '-c', script, `/proc/${process.pid}/fd/${descriptor}`, path, '--seccomp', FILTER_FD]
}

/** Paths are the same inside and outside of the sandbox. */
function bubblewrapCommand(
  { path, hidden, disableUserNamespaces, syscallFilter }: BubblewrapOptions,
  command: readonly string[],
  { code, reads = [], writes = [] }: ProgramFiles,
): string[] {
  const covered = [projectFolder, ...hidden].filter(folder => LIBRARIES.some(library => isInside(folder, library)))
  return [
    ...(syscallFilter === undefined ? [path] : withFilter(path, syscallFilter)),
    ...ISOLATION,
    ...(disableUserNamespaces ? ['--disable-userns'] : []),
    ...LIBRARIES.flatMap(library => ['--ro-bind-try', library, library]),
    ...covered.flatMap(folder => ['--tmpfs', folder]),
    // Before the program, which may be in /dev/shm.
    ...['--dev', '/dev'],
    ...code.flatMap(file => ['--ro-bind-try', file, file]),
    ...reads.flatMap(file => ['--ro-bind', file, file]),
    ...writes.flatMap(file => ['--bind', file, file]),
    // Last, since bwrap creates parent folders of each path. Otherwise a program could fill the memory with files.
    ...['/', '/dev', ...covered].flatMap(folder => ['--remount-ro', folder]),
    ...['--chdir', '/', '--', ...command],
  ]
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}
