import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/schema.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import { personById } from '../../people/public.ts'
import type { ResumableUploads } from './resumable.ts'

const removeUploads = defineJob<{ personId: number }>('uploads.remove')

/** Requests of a person whose access was revoked are closed within two seconds; after that no upload grows. */
const AFTER_MS = 3_000

/** Removes the uploads of a person whose access was revoked, in the background because a store is slow. */
export async function enqueueRemoveUploads(queue: Queue, tx: Tx, personId: number): Promise<void> {
  await queue.enqueue(tx, removeUploads, { personId }, { delayMs: AFTER_MS })
}

export function handleRemoveUploads(queue: Queue, deps: { db: Database; resumable: ResumableUploads }): void {
  queue.handle(removeUploads, {
    async run({ personId }) {
      const person = await personById(deps.db.query, personId)
      // The person may have been approved again.
      if (person?.status !== 'approved') await deps.resumable.removeAllOf(personId)
    },
  })
}
