import type { Tx } from '../db/schema.ts'
import type { SeededFile } from '../feature.ts'

/** Each person loves one file of twenty. */
export async function insertSeededHearts(
  tx: Tx,
  files: readonly SeededFile[],
  personIds: readonly number[],
): Promise<void> {
  const hearts = files.flatMap(({ id, uploadedAt, chance }) =>
    personIds
      .filter(() => chance(0.05))
      .map(person_id => ({ media_id: id, person_id, created_at: uploadedAt, notification_id: null })),
  )
  if (hearts.length > 0) await tx.insertInto('hearts').values(hearts).execute()
}
