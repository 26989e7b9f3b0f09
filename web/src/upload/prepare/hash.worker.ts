import { createBLAKE3 } from 'hash-wasm'
import { CannotPrepare } from './prepare.ts'
import { readChunks } from './read-chunks.ts'
import { serveTask } from './worker-pool.ts'

serveTask(async (file: File, report) => {
  const hasher = await createBLAKE3()
  let read = 0
  await readChunks(file, piece => {
    hasher.update(piece)
    read += piece.byteLength
    report((100 * read) / file.size)
  })
  // The hash of a file that changed during reading would be meaningless.
  if (read !== file.size) throw new CannotPrepare('changed')
  return hasher.digest('hex')
})
