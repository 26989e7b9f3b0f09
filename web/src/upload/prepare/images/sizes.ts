import { type VariantName, variants } from '#contract/limits.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The largest size of the same shape within a variant's bound, never larger than it was. */
export function sizeOfVariant({ width, height }: Size, name: VariantName): Size {
  const scale = Math.min(1, variants[name].maxSize / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}
