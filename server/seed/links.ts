import { copyFile, link, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pathBelow, rootFolder } from '#server/kit/safe-path.ts'
import { parseKey } from '#server/storage/keys.ts'
import { systemCode } from '#server/storage/local/disk-errors.ts'
import { Refusal } from '#server/cli/command.ts'

/** One more name for bytes that are there already. */
export interface Link {
  from: string
  to: string
}

/**
 * Gives stored bytes further keys by hard links: a million files need names then, but no room. The storage folder is on
 * this machine and its files never change, so whoever reads one cannot tell.
 */
export function openLinker(folder: string): (links: Link[]) => Promise<void> {
  const root = rootFolder(folder)
  const pathOf = (key: string) => pathBelow(root, parseKey(key))
  const made = new Map<string, Promise<unknown>>()

  async function add({ from, to }: Link): Promise<void> {
    const path = pathOf(to)
    const parent = dirname(path)
    if (!made.has(parent)) made.set(parent, mkdir(parent, { recursive: true }))
    await made.get(parent)
    try {
      await link(pathOf(from), path)
    } catch (error) {
      // A file can bear only so many names; then a copy begins anew.
      if (systemCode(error) === 'EMLINK') await copyFile(pathOf(from), path)
      else throw asRefusal(error)
    }
  }

  return async links => {
    await Promise.all(links.map(add))
  }
}

function asRefusal(error: unknown): unknown {
  const unable = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '')
  if (!unable) return error
  return new Refusal(
    'The disk of DATA_DIR knows no hard links, by which seeded files share pictures. Use --rows-only.',
    {
      cause: error,
    },
  )
}
