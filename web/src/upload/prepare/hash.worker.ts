import { createBLAKE3 } from 'hash-wasm'
import { readInPieces } from './read-in-pieces.ts'
import { serve } from './workers/serve.ts'

serve(async (file: File, report) => {
  const hasher = await createBLAKE3()
  let read = 0
  await readInPieces(file, piece => {
    hasher.update(piece)
    read += piece.byteLength
    report((100 * read) / file.size)
  })
  // A file that changed while it was read has no one hash.
  if (read !== file.size) throw new Error('The file changed while it was read.')
  return hasher.digest('hex')
})
