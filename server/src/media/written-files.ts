import { MediaFile } from '#contract/media.ts'
import type { Clock } from '../kit/clock.ts'
import { setLru } from '../kit/lru.ts'
import type { Storage } from '../storage/storage.ts'
import { type FileText, readFile } from './list.sql.ts'
import { present } from './present.ts'

/**
 * A cache of the JSON of each file in a list. When one photo of a page has changed, serialising all the others again takes
 * several times as long as reading them.
 */
export interface WrittenFiles {
  /** As bytes: to encode the texts of a whole page anew takes most of a millisecond. */
  of(file: FileText): Buffer
}

interface Kept {
  text: string
  madeAt: number
  written: Buffer
}

const MOST_KEPT = 2_000
/** The addresses in it last for half an hour at least. */
const KEPT_FOR_MS = 5 * 60_000

export function createWrittenFiles(deps: { storage: Pick<Storage, 'signedUrl'>; clock: Clock }): WrittenFiles {
  /** By their ids, the one asked for last at the end. */
  const kept = new Map<number, Kept>()

  function write(file: FileText): Buffer {
    return Buffer.from(JSON.stringify(MediaFile.parse(present(deps.storage, readFile(file)))))
  }

  return {
    of(file) {
      const now = deps.clock()
      const known = kept.get(file.id)
      const isGood = known?.text === file.text && now - known.madeAt < KEPT_FOR_MS
      const good = isGood ? known : { text: file.text, madeAt: now, written: write(file) }
      setLru(kept, MOST_KEPT, file.id, good)
      return good.written
    },
  }
}
