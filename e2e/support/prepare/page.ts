import type { Preparer } from '../../../web/src/upload/prepare/prepare.ts'
import { createPreparer } from '../../../web/src/upload/prepare/preparer.ts'

declare global {
  interface Window {
    preparer: Preparer
    newPreparer: typeof createPreparer
    /** The file that a test has chosen. */
    chosen(): File
    /** A blob as text, because only JSON can be returned from a page. */
    inBase64(blob: Blob): Promise<string>
  }
}

window.newPreparer = createPreparer
window.preparer = createPreparer()

window.chosen = () => {
  const file = document.querySelector('input')?.files?.[0]
  if (!file) throw new Error('No file is chosen')
  return file
}

window.inBase64 = async blob => {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
  return url.slice(url.indexOf(',') + 1)
}
