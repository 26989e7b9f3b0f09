import type { Incomplete } from '#contract/media.ts'
import { formatSize } from '../kit/format.ts'
import { texts } from './texts.ts'

/** The mark of a file whose end is missing. */
export const incompleteMark = texts.incomplete

/** What is missing of a file. Without sizes where they are not known, or where they read the same. */
export function incompleteText(size: number, { expected_size: expected }: NonNullable<Incomplete>): string {
  const [there, whole] = [formatSize(size), expected === null ? null : formatSize(expected)]
  if (whole === null || whole === there) return texts.endMissing
  return texts.onlyPart({ there, whole })
}
