import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { constants, copyFile, link, lstat, open, readdir, rm, stat, unlink } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ProcessingError } from '../errors.ts'
import type { TaskRequest } from '../serve-tasks.ts'

/**
 * Passes files to a process in the sandbox and back, through one folder that it reads and one that it writes. The process
 * may be controlled by a hostile file and act concurrently, so links and folders that it creates are never followed.
 */
export interface Exchange {
  readonly inbox: string
  readonly outbox: string
  /** Runs `work` with a path to the file that the process can read. */
  withInput<Result>(path: string, work: (path: string) => Promise<Result>): Promise<Result>
  /** Copies a file that the process wrote into the outbox. Throws a {@link BadOutput}. */
  copyOut(name: string, target: string): Promise<void>
  /** Copies all files of the outbox into a folder. Throws a {@link BadOutput}. */
  copyAllOut(folder: string): Promise<void>
  /** Empties the outbox. Throws a {@link BadOutput}. */
  clear(): Promise<void>
  /** To be called after the process has ended. */
  remove(): Promise<void>
}

/** A process wrote something that no decoder writes. It must be killed, and its output discarded. */
export class BadOutput extends Error {
  constructor(name: string) {
    super(`A process in the sandbox wrote something other than a file: ${JSON.stringify(name)}`)
    this.name = 'BadOutput'
  }
}

/** Inputs are hard links if possible. The process has a read-only mount, so it cannot change the original. */
export function openExchange(root: string): Exchange {
  const own = join(root, randomUUID())
  const inbox = join(own, 'in')
  const outbox = join(own, 'out')
  for (const folder of [inbox, outbox]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const exchange: Exchange = {
    inbox,
    outbox,
    async withInput(path, work) {
      const lent = join(inbox, randomUUID() + plainExtension(path))
      await linkOrCopy(path, lent)
      try {
        return await work(lent)
      } finally {
        await rm(lent, { force: true })
      }
    },
    async copyOut(name, target) {
      const from = join(outbox, name)
      if (!(await lstat(from)).isFile()) throw new BadOutput(name)
      await copyPlainFile(from, target)
    },
    async copyAllOut(folder) {
      for (const name of await readdir(outbox)) {
        if (/^\w+\.\w+$/.test(name)) await exchange.copyOut(name, join(folder, name))
      }
    },
    async clear() {
      for (const name of await readdir(outbox)) {
        if (!(await succeeds(unlink(join(outbox, name))))) throw new BadOutput(name)
      }
    },
    remove: () => rm(own, { recursive: true, force: true, maxRetries: 3 }),
  }
  return exchange
}

/** exiftool uses the extension if the content is ambiguous. */
function plainExtension(path: string): string {
  return /^\.\w{1,8}$/.exec(extname(path))?.[0] ?? ''
}

async function linkOrCopy(path: string, target: string): Promise<void> {
  // In the sandbox even root can read only its own files and public ones.
  const { uid } = await stat(path)
  if (uid === process.getuid?.() && (await succeeds(link(path, target)))) return
  // Another disk, or a file system without hard links.
  await copyFile(path, target, constants.COPYFILE_FICLONE)
}

/**
 * Copied, since the process may still have the file open and could change it later. Does not follow links or block on
 * pipes, in case the process replaced the file after the check; bytes added after the check are ignored.
 */
async function copyPlainFile(from: string, target: string): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  await using source = await open(from, flags).catch(error => {
    throw error.code === 'ELOOP' || error.code === 'ENXIO' ? new BadOutput(from) : error
  })
  const found = await source.stat()
  if (!found.isFile()) throw new BadOutput(from)
  await using copy = await open(target, 'w')
  if (found.size > 0) await copy.writeFile(source.createReadStream({ autoClose: false, start: 0, end: found.size - 1 }))
}

function succeeds(act: Promise<unknown>): Promise<boolean> {
  return act.then(
    () => true,
    () => false,
  )
}

/** The only fields of a task's input that name files: what it reads, and the folder it writes to. */
interface TaskFiles {
  readonly path?: string
  readonly outDir?: string
}

/**
 * Runs a task with paths in the exchange, then copies its output to where the request wants it. `end` kills the process
 * if it wrote anything that no decoder writes.
 */
export async function runWithExchange(
  exchange: Exchange,
  order: TaskRequest,
  carryOut: (order: TaskRequest) => Promise<unknown>,
  end: () => Promise<void>,
): Promise<unknown> {
  const { path, outDir } = filesOf(order)
  const carryOutInside = async (lent?: string) => {
    const inside = { ...(lent && { path: lent }), ...(outDir && { outDir: exchange.outbox }) }
    const input = path || outDir ? { ...(order.input as object), ...inside } : order.input
    const output = await carryOut({ ...order, input })
    if (outDir) await exchange.copyAllOut(outDir)
    return output
  }
  try {
    const output = await (path ? exchange.withInput(path, carryOutInside) : carryOutInside())
    await exchange.clear()
    return output
  } catch (error) {
    // A decoder that failed leaves regular files at most.
    const failed = await exchange.clear().catch((bad: unknown) => bad)
    if (error instanceof ProcessingError && failed === undefined) throw error
    await end()
    throw error instanceof ProcessingError ? error : notExchanged(error)
  }
}

function filesOf({ input }: TaskRequest): TaskFiles {
  return typeof input === 'object' && input !== null ? input : {}
}

function notExchanged(cause: unknown): ProcessingError {
  if ((cause as NodeJS.ErrnoException).code === 'ENOSPC') {
    return new ProcessingError('no_space', 'The file could not be processed: the disk is full.', { cause })
  }
  return new ProcessingError('crashed', 'The file could not be copied to its decoder and back.', { cause })
}
