import type { AppContext } from '../../context.ts'
import { isLivePhotoPair } from '../../media/upload/pairing.ts'
import { detectFormat } from '../../processing/recognise.ts'
import type { TreeFile } from './walk.ts'

/** Whether two files of one name are the halves of a Live Photo. Where that cannot be told, they are two files. */
export async function isLivePhoto(
  { tools, signal }: Pick<AppContext, 'tools'> & { signal: AbortSignal },
  still: TreeFile,
  clip: TreeFile,
): Promise<boolean> {
  try {
    const [photo, film] = [await detectFormat(still.path), await detectFormat(clip.path)]
    if (photo?.kind !== 'image' || film?.kind !== 'video') return false
    return await isLivePhotoPair(tools, still.path, clip.path, { signal })
  } catch {
    signal.throwIfAborted()
    // What is wrong with it is said when it is taken in by itself.
    return false
  }
}
