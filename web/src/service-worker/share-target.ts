import { type ShareOutcome, sharedFilesField, shareTargetPath, uploadPath } from '#contract/share-target.ts'
import { eraseExpiredSharedFiles, keepSharedFiles } from '../kit/shared-files.ts'

declare const self: ServiceWorkerGlobalScope

export function isShare({ method, mode }: Request, url: URL): boolean {
  const isHere = url.origin === self.location.origin && url.pathname === shareTargetPath
  return isHere && method === 'POST' && mode === 'navigate'
}

/** Keeps the files on the device and opens the upload dialog. Any website can send this form, so nothing is uploaded. */
export async function takeShare(request: Request): Promise<Response> {
  return Response.redirect(uploadPath(await store(request)), 303)
}

async function store(request: Request): Promise<ShareOutcome> {
  try {
    // Browsers write large files of forms to disk.
    const sent = (await request.formData()).getAll(sharedFilesField)
    const files = sent.filter(value => value instanceof File).filter(({ name, size }) => name !== '' || size > 0)
    if (files.length === 0) return 'empty'
    await keepSharedFiles(files.map(withoutDate))
    return 'shared'
  } catch {
    // IndexedDB has no room for them, or the browser none for the form.
    return 'full'
  }
}

/** A form does not say when its files were made; the browser gives them the time at which it was sent. */
function withoutDate(file: File): File {
  return new File([file], file.name, { type: file.type, lastModified: 0 })
}

/** Called when a page is opened. */
export function eraseExpiredShare(): Promise<void> {
  return eraseExpiredSharedFiles().catch(() => {
    // Without storage nothing is kept.
  })
}
