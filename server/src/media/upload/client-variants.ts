import type { VariantName } from '#contract/limits.ts'
import type { ReceivedFile } from './receive.ts'
import type { Submission } from './submission.ts'

export interface CheckedVariant {
  path: string
  size: number
  mime: string
  extension: string
  width: number
  height: number
}

/** Decodes what a client made, in a process of its own, to see that it is what it should be. */
export interface VariantChecker {
  /** Undefined: not a set worth keeping, the server makes its own. */
  checkVariants(
    original: ReceivedFile,
    variants: ReadonlyMap<VariantName, ReceivedFile>,
  ): Promise<Map<VariantName, CheckedVariant> | undefined>
}

const NONE: ReadonlyMap<VariantName, CheckedVariant> = new Map()

/** The client's pictures where the whole set is sound, else none: half a set would be made anew anyway. */
export async function checkVariants(
  checker: VariantChecker,
  original: ReceivedFile,
  { variants, shown }: Submission,
): Promise<Map<VariantName, CheckedVariant>> {
  const sent = new Map(Object.entries(variants) as [VariantName, ReceivedFile][])
  if (sent.size === 0) return new Map(NONE)
  if (shown) sent.set('full', shown)
  return (await checker.checkVariants(original, sent)) ?? new Map(NONE)
}
