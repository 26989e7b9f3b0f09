/** Converted videos wait for their upload in the browser's origin-private file system. */
const FOLDER = 'converted-videos'

/** Only workers have synchronous access. */
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
  /** The written file, after closing. */
  read(): Promise<File>
}

/** Opens a file for writing in a worker; undefined if the browser does not support it (private windows). */
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

/** A terminated worker releases its file a moment later. */
const RETRY = { attempts: 50, milliseconds: 100 }

export async function removeScratchFile(name: string): Promise<void> {
  for (let attempt = 0; attempt < RETRY.attempts; attempt++) {
    const failure = await folder()
      .then(parent => parent.removeEntry(name))
      .catch((error: Error) => error.name)
    // Otherwise it is deleted, or never existed. The next page removes orphaned files.
    if (failure !== 'NoModificationAllowedError') return
    await new Promise(resolve => setTimeout(resolve, RETRY.milliseconds))
  }
}

/** Removes orphaned files, whose page is closed. File names start with the page's id. */
export async function removeAbandonedFiles(isAlive: (page: string) => boolean): Promise<void> {
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
