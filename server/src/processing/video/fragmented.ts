import { open } from 'node:fs/promises'
import { openWindow } from '../structure/file-window.ts'
import { boxesIn } from '../structure/iso-boxes.ts'

/**
 * Whether an MP4 announces fragments (`mvex` in its index). Recorders write such a file before they know how long it
 * becomes, and fill the duration with zero, with 0xffffffff or with that of the first fragment.
 */
export async function isFragmented(path: string): Promise<boolean> {
  await using file = await open(path)
  const { size } = await file.stat()
  const window = openWindow(file)
  for await (const box of boxesIn(window, 0, size)) {
    if (box.type !== 'moov') continue
    for await (const child of boxesIn(window, box.start, box.end)) if (child.type === 'mvex') return true
    return false
  }
  return false
}
