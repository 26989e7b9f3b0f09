import type { Handle } from '../db/schema.ts'

/** How many files each place has, and which of them was added last. Answered from an index. */
export async function countPlaces(handle: Handle): Promise<{ location: string; count: number; cover: number }[]> {
  return handle
    .selectFrom('media')
    .select(({ fn, ref }) => [
      ref('location').$castTo<string>().as('location'),
      fn.countAll<number>().as('count'),
      fn.max<number>('id').as('cover'),
    ])
    .where('deleted_at', 'is', null)
    .where('location', 'is not', null)
    .where('location', '<>', '')
    .groupBy('location')
    .execute()
}
