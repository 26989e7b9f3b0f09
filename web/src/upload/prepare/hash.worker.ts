import { createBLAKE3 } from 'hash-wasm'
import { serve } from './workers/serve.ts'

serve(async (file: File, report) => {
  const hasher = await createBLAKE3()
  // Not into memory of our own (`byob`): there Chromium now and then never answers at the end, and the upload stops for good.
  const reader = file.stream().getReader()
  let read = 0
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    hasher.update(chunk.value)
    read += chunk.value.byteLength
    report((100 * read) / file.size)
  }
  // A file that changed while it was read has no one hash.
  if (read !== file.size) throw new Error('The file changed while it was read.')
  return hasher.digest('hex')
})
