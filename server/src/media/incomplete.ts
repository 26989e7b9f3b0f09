import type { Incomplete } from '#contract/media.ts'
import type { MediaRow } from '../db/schema.ts'
import type { MissingEnd } from '../processing/structure/completeness/missing-end.ts'

type DamageColumns = Pick<MediaRow, 'partly_damaged' | 'incomplete' | 'expected_size'>

/** `isDecoded`: the whole picture could be decoded. Then a JPEG without its end marker is not incomplete. */
export function damageColumns(
  missing: MissingEnd | undefined,
  { lostPixels = false, isDecoded = false }: { lostPixels?: boolean; isDecoded?: boolean } = {},
): DamageColumns {
  const lost = missing && !(missing.onlyMarker && isDecoded && !lostPixels) ? missing : undefined
  return {
    partly_damaged: lost || lostPixels ? 1 : 0,
    incomplete: lost ? 1 : 0,
    expected_size: lost?.expectedSize ?? null,
  }
}

export function presentIncomplete(row: Pick<MediaRow, 'incomplete' | 'expected_size'>): Incomplete {
  return row.incomplete === 1 ? { expected_size: row.expected_size } : null
}
