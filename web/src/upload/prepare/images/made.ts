import type { VariantName } from '#contract/limits.ts'
import type { Size } from './sizes.ts'

/** What the image worker answers. */
export interface MadeVariants extends Size {
  /** `full` is among them where browsers can't show the original. */
  readonly variants: readonly MadeVariant[]
}

export interface MadeVariant extends Size {
  readonly type: VariantName
  readonly blob: Blob
}
