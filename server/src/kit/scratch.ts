import { mkdir } from 'node:fs/promises'
import { newName, pathBelow, pathsIn, type RootFolder, removeFolder, rootFolder } from './safe-path.ts'

/** A place for half-finished things. Whatever lies there at start was left by a process that died. */
export interface Scratch {
  /** Gives `work` a folder of its own, and removes it with everything in it when `work` is done. */
  withFolder<T>(work: (folder: RootFolder) => Promise<T>): Promise<T>
}

export async function openScratch(path: string): Promise<Scratch> {
  const folder = rootFolder(path)
  await mkdir(folder, { recursive: true })
  for (const left of await pathsIn(folder)) await removeFolder(left)
  return {
    async withFolder(work) {
      const own = pathBelow(folder, newName())
      await mkdir(own)
      try {
        return await work(own)
      } finally {
        await removeFolder(own)
      }
    },
  }
}
