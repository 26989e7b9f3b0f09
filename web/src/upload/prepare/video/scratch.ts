/** Where converted videos lie until they are sent: a folder of the browser's that no page but ours sees. */
const FOLDER = 'converted-videos'

/** The part of a file handle that only workers have. */
interface WorkerFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncAccess>
}

interface SyncAccess {
  write(data: Uint8Array<ArrayBuffer>, options: { at: number }): number
  close(): void
}

export interface ScratchFile {
  write(data: Uint8Array<ArrayBuffer>, position: number): void
  close(): void
  /** What was written, once it is closed. */
  read(): Promise<File>
}

/** Opens a file for writing, in a worker; undefined where the browser has no such place (private windows). */
export async function openScratchFile(name: string): Promise<ScratchFile | undefined> {
  try {
    const handle = (await (await folder()).getFileHandle(name, { create: true })) as WorkerFileHandle
    const access = await handle.createSyncAccessHandle()
    return {
      write(data, position) {
        if (access.write(data, { at: position }) < data.byteLength) throw new Error('There is no room left.')
      },
      close: () => access.close(),
      read: () => handle.getFile(),
    }
  } catch {
    return undefined
  }
}

/** A worker that was ended lets go of its file a moment later. */
const PATIENCE = { attempts: 50, milliseconds: 100 }

export async function removeScratchFile(name: string): Promise<void> {
  for (let attempt = 0; attempt < PATIENCE.attempts; attempt++) {
    const failure = await folder()
      .then(parent => parent.removeEntry(name))
      .catch((error: Error) => error.name)
    // Otherwise it is gone, or was never there; and what stays for another reason is swept away by the next page.
    if (failure !== 'NoModificationAllowedError') return
    await new Promise(resolve => setTimeout(resolve, PATIENCE.milliseconds))
  }
}

/** Removes what pages have left that are closed; `isAlive` tells of a page by the first part of a file's name. */
export async function sweepScratch(isAlive: (page: string) => boolean): Promise<void> {
  const parent = await folder().catch(() => undefined)
  if (!parent) return
  for await (const name of parent.keys()) {
    const [page = ''] = name.split('.')
    if (!isAlive(page)) await removeScratchFile(name)
  }
}

async function folder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(FOLDER, { create: true })
}
