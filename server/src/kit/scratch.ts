import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A place for half-finished things. Whatever lies there at start was left by a process that died. */
export interface Scratch {
  /** Gives `work` a folder of its own, and removes it with everything in it when `work` is done. */
  withFolder<T>(work: (folder: string) => Promise<T>): Promise<T>
}

export async function openScratch(folder: string): Promise<Scratch> {
  await mkdir(folder, { recursive: true })
  for (const left of await readdir(folder)) await rm(join(folder, left), { recursive: true, force: true })
  return {
    async withFolder(work) {
      const own = join(folder, randomUUID())
      await mkdir(own)
      try {
        return await work(own)
      } finally {
        await rm(own, { recursive: true, force: true })
      }
    },
  }
}
