import { type VariantName, variants } from '#contract/limits.ts'
import { isUnreadable, PreparationError } from '../errors.ts'
import type { PreparationOptions, PreparedImage, PreparedVariant } from '../prepare.ts'
import { texts } from '../texts.ts'
import { TaskFailure, WorkerBreakdown, type WorkerPool } from '../workers/pool.ts'
import type { MadeVariants } from './made.ts'

const order = Object.keys(variants) as VariantName[]

export async function prepareImage(
  pool: WorkerPool<Blob, MadeVariants>,
  file: File,
  options: PreparationOptions,
): Promise<PreparedImage> {
  // A type that is not known is empty; then the bytes decide.
  if (file.type !== '' && !file.type.startsWith('image/')) throw new PreparationError(texts.errors.notAnImage)
  try {
    return present(file, await pool.run(file, options))
  } catch (error) {
    if (isUnreadable(error)) throw new PreparationError(texts.errors.unreadableImage, { cause: error })
    if (error instanceof WorkerBreakdown) return { outcome: 'server', reason: texts.leftToServer.brokenDown }
    if (!(error instanceof TaskFailure)) throw error
    const known = error.name === 'LeftToServer'
    return { outcome: 'server', reason: known ? error.message : texts.leftToServer.undecodable }
  }
}

function present(file: File, { width, height, variants: made }: MadeVariants): PreparedImage {
  const fullIsOriginal = made.every(({ type }) => type !== 'full')
  const all = fullIsOriginal ? [...made, { type: 'full' as const, blob: file, width, height }] : made
  const prepared = all.map((variant): PreparedVariant => {
    const { quality, suffix } = variants[variant.type]
    return { ...variant, quality, suffix, original: file }
  })
  prepared.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
  return { outcome: 'prepared', width, height, variants: prepared, fullIsOriginal }
}
