import { type VariantName, viewingSizes } from '#contract/limits.ts'
import { AppError } from '../../kit/errors.ts'
import type { SafePath } from '../../kit/safe-path.ts'
import { ProcessingError } from '../../processing/errors.ts'
import { detectFormat } from '../../processing/recognise.ts'
import type { MediaTools } from '../prepare/tools.ts'
import type { ReceivedFile } from './receive.ts'
import type { Submission } from './submission.ts'

export interface CheckedVariant {
  path: SafePath
  size: number
  mime: string
  extension: string
  width: number
  height: number
}

/** Pictures that a client made and that stood the test, with what they tell of the original. */
export interface ClientPictures {
  variants: Map<VariantName, CheckedVariant>
  width: number | null
  height: number | null
  thumbhash: string | null
}

/** For all checks of one file together, waiting included: an upload is answered however many checks wait. */
const CHECKS_TIMEOUT_MS = 30_000

/** The client's pictures where the whole set is sound, else none: half a set would be made anew anyway. */
export async function checkClientPictures(
  tools: Pick<MediaTools, 'measure' | 'checkVariant'>,
  original: ReceivedFile,
  { variants, converted: shown }: Pick<Submission, 'variants' | 'converted'>,
  ownerId: number,
): Promise<ClientPictures> {
  const none: ClientPictures = { variants: new Map(), width: null, height: null, thumbhash: null }
  if (!viewingSizes.every(name => variants[name])) return none
  const recognised = await detectFormat(original.path)
  if (recognised?.kind !== 'image') return none
  const run = { ownerId, signal: AbortSignal.timeout(CHECKS_TIMEOUT_MS) }
  try {
    const { format } = recognised
    const { width, height, hdr } = await tools.measure({ path: original.path, format }, run)
    // Browsers tone-map in different ways; the job makes the same picture of it whichever sent it.
    if (hdr) return none
    const size = { width, height }
    const checked: ClientPictures = { ...none, ...size, variants: new Map() }
    for (const [name, file] of entries({ ...variants, ...(shown ? { full: shown } : {}) })) {
      const verdict = await tools.checkVariant({ path: file.path, name, originalFormat: format, original: size }, run)
      if (!verdict.ok && verdict.tooComplex)
        throw new AppError('invalid', `The ${name} picture is too complex to check. Please send the photo without it.`)
      if (!verdict.ok) return none
      const { ok, thumbhash, ...picture } = verdict
      checked.variants.set(name, { ...picture, path: file.path, size: file.size, extension: extensionOf(picture.mime) })
      if (name === 'thumbnail') checked.thumbhash = thumbhash
    }
    return checked
  } catch (error) {
    // A picture that brings the decoder down is no picture to keep; the job will say what is wrong with the original.
    if (error instanceof ProcessingError) return none
    throw error
  }
}

function entries(files: Submission['variants']): [VariantName, ReceivedFile][] {
  return Object.entries(files) as [VariantName, ReceivedFile][]
}

function extensionOf(mime: string): string {
  return mime === 'image/png' ? 'png' : 'jpg'
}
