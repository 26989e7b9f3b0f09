import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a program in the sandbox can see beside the shared libraries of the system. */
export interface ProgramFiles {
  /** The program and what it loads. What does not exist is left out. */
  readonly code: readonly string[]
  readonly reads?: readonly string[]
  readonly writes?: readonly string[]
}

export interface BubblewrapOptions {
  /** The bwrap program. */
  readonly path: string
  /** Folders that stay invisible even where a folder above them is visible. */
  readonly hidden: readonly string[]
  /** Bubblewrap before 0.8 cannot forbid user namespaces inside the sandbox. */
  readonly disableUserNamespaces: boolean
}

const projectFolder = fileURLToPath(new URL('../../../../', import.meta.url))

/** What our own worker programs consist of. The `.env` file lies beside these, so the folder above is not visible. */
export const workerCode: readonly string[] = [
  process.execPath,
  ...['package.json', 'node_modules', 'contract/src', 'server/src/processing'].map(name => projectFolder + name),
]

/** Shared libraries, with what the loader needs to find them. Debian selects some of them by links in /etc/alternatives. */
const LIBRARIES = [
  ...['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64', '/usr/local/lib', '/usr/local/lib64'],
  ...['/nix/store', '/gnu/store', '/etc/ld.so.cache', '/etc/alternatives', '/etc/ld-musl-x86_64.path'],
]

/**
 * No network, no other processes, no capabilities, no /proc. The program is process 1 of its namespace and so the only
 * child of bwrap, which ends with the server and takes the program with it.
 */
const ISOLATION = [
  ...['--unshare-user', '--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--new-session', '--die-with-parent', '--as-pid-1', '--cap-drop', 'ALL'],
]

/** The command that runs a program in a sandbox. Every path is the same inside and outside. */
export function bubblewrapCommand(
  { path, hidden, disableUserNamespaces }: BubblewrapOptions,
  command: readonly string[],
  { code, reads = [], writes = [] }: ProgramFiles,
): string[] {
  const covered = [projectFolder, ...hidden].filter(folder => LIBRARIES.some(library => isInside(folder, library)))
  return [
    path,
    ...ISOLATION,
    ...(disableUserNamespaces ? ['--disable-userns'] : []),
    ...LIBRARIES.flatMap(library => ['--ro-bind-try', library, library]),
    ...covered.flatMap(folder => ['--tmpfs', folder]),
    ...code.flatMap(file => ['--ro-bind-try', file, file]),
    ...['--dev', '/dev'],
    ...reads.flatMap(file => ['--ro-bind', file, file]),
    ...writes.flatMap(file => ['--bind', file, file]),
    // Last, since bwrap creates the folders above each path. Without these a program could fill the memory with files.
    ...['/', '/dev', ...covered].flatMap(folder => ['--remount-ro', folder]),
    ...['--chdir', '/', '--', ...command],
  ]
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way.startsWith('..') || isAbsolute(way))
}
