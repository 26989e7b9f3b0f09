import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/schema.ts'
import { defineJob, type Queue } from '../../jobs/queue.ts'
import { personById } from '../../people/public.ts'
import type { ResumableUploads } from './resumable.ts'

const removeUploads = defineJob<{ personId: number }>('uploads.remove')

/** Requests of a person whose access ended are closed within two seconds: then no upload grows any more. */
const AFTER_MS = 3_000

/** When the access of a person has ended: in the background, since a store takes its time. */
export async function enqueueRemoveUploads(queue: Queue, tx: Tx, personId: number): Promise<void> {
  await queue.enqueue(tx, removeUploads, { personId }, { delayMs: AFTER_MS })
}

export function handleRemoveUploads(queue: Queue, deps: { db: Database; resumable: ResumableUploads }): void {
  queue.handle(removeUploads, {
    async run({ personId }) {
      const person = await personById(deps.db.query, personId)
      // Somebody who was approved has a right to their uploads.
      if (person?.status !== 'approved') await deps.resumable.removeAllOf(personId)
    },
  })
}
