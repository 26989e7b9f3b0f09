import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'

/** Everything below a folder. A running server may remove a subfolder during the listing, which then starts again. */
export async function readTree(folder: string): Promise<Dirent[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true })
    } catch (error) {
      const { code, path } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' || path === folder) throw error
    }
  }
}
