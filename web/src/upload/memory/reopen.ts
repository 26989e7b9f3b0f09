import type { NewFile } from '../queue/item.ts'
import type { UploadRecord } from './record.ts'

/** Not every browser that gives handles asks for permissions, nor do the types know of it. */
type AskingHandle = FileSystemFileHandle & {
  queryPermission?(): Promise<PermissionState>
  requestPermission?(): Promise<PermissionState>
}

/**
 * The files of an earlier visit, where the browser still leads to them. It asks the person once: a permission for one file
 * brings back those for the others.
 */
export async function reopen(records: readonly UploadRecord[]): Promise<NewFile[]> {
  const files: NewFile[] = []
  let asked = false
  for (const { handle, motion, path, safe } of records) {
    if (handle === null || safe) continue
    const readable = await mayRead(handle, !asked)
    asked = true
    if (!readable) continue
    const file = await open(handle)
    const clip = motion?.handle && (await open(motion.handle))
    // Moved or deleted since: it stays among those to choose again.
    if (file && (clip || !motion)) files.push({ file, path, ...(clip ? { motion: clip } : {}) })
  }
  return files
}

async function open(handle: FileSystemFileHandle): Promise<File | undefined> {
  const file = await handle.getFile().catch(() => undefined)
  return file && Object.assign(file, { handle })
}

async function mayRead(handle: AskingHandle, ask: boolean): Promise<boolean> {
  const state = (await handle.queryPermission?.()) ?? 'granted'
  if (state === 'granted' || !ask) return state === 'granted'
  // Refused outright where the browser will not ask.
  const answer = await handle.requestPermission?.().catch(() => 'denied')
  return answer === 'granted'
}
