import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { constants, copyFile, link, lstat, open, readdir, rm, stat, unlink } from 'node:fs/promises'
import { extname, join } from 'node:path'

/**
 * How files reach a process in the sandbox, and how what it makes comes back: one folder where it reads and one where
 * it writes, for this process alone. The process may be under the control of a hostile file, and it may act while the
 * server does, so what it wrote is never followed: not a link, not a folder.
 */
export interface Exchange {
  readonly inbox: string
  readonly outbox: string
  /** Runs `work` with the path under which the process can read a file. */
  withInput<Result>(path: string, work: (path: string) => Promise<Result>): Promise<Result>
  /** Copies a file that the process wrote into the outbox. Throws a {@link BadOutput}. */
  copyOut(name: string, target: string): Promise<void>
  /** Copies all files of the outbox into a folder. Throws a {@link BadOutput}. */
  copyAllOut(folder: string): Promise<void>
  /** Empties the outbox. Throws a {@link BadOutput}. */
  clear(): Promise<void>
  /** Once the process has ended. */
  remove(): Promise<void>
}

/** A process wrote what no decoder writes: it must be ended, and nothing of it used. */
export class BadOutput extends Error {
  constructor(name: string) {
    super(`A process in the sandbox wrote something other than a file: ${JSON.stringify(name)}`)
    this.name = 'BadOutput'
  }
}

/**
 * Input is a hard link where possible, which takes no time. The process sees it in a read-only mount and so cannot
 * change the original through it.
 */
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

/** exiftool goes by the extension where the content does not decide. */
function plainExtension(path: string): string {
  return /^\.\w{1,8}$/.exec(extname(path))?.[0] ?? ''
}

async function linkOrCopy(path: string, target: string): Promise<void> {
  // In the sandbox even root reads only what is its own or everybody's.
  const { uid } = await stat(path)
  if (uid === process.getuid?.() && (await succeeds(link(path, target)))) return
  // Another disk, or a file system without hard links.
  await copyFile(path, target, constants.COPYFILE_FICLONE)
}

/**
 * A copy rather than the file itself, since the process may still have it open and could change it later. Neither follows
 * a link nor waits at a pipe, in case the process replaced the file after it was looked at; a file that grows is cut off.
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
