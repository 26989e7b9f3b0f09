import { z } from 'zod'
import { Id, IdInPath, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'

/** In the body of a call that is one of several for the same change. */
export const Continues = Id.nullish().describe('The `change_id` of an earlier call: they are one change')

/** In the answer of a call that may be one of several for the same change, but is not undone by its id. */
export const ChangeId = Id.nullable().default(null).describe('What later calls `continue`; null: nothing was changed')

/** In the answer of every call whose change can be undone. */
export const changeAnswer = {
  changed: z.number().int().nonnegative().describe('Files that this call changed'),
  change_id: Id.nullable().describe('To undo it; null: nothing was changed'),
}

/** A change that its author can undo. */
export const UndoableChange = z.object({
  id: Id,
  kind: z
    .string()
    .describe(
      'As in the activity: media.date, media.place, media.caption, media.move, media.rotate, media.tag, media.untag',
    ),
  at: Moment,
  tag: z.string().optional().describe('That was added or removed'),
  files: z
    .number()
    .int()
    .describe('For how many files it can be undone; 1,001: of more than 1,000, which are not counted'),
})
export type UndoableChange = z.infer<typeof UndoableChange>

export const LastChange = UndoableChange.extend({
  name: z.string().nullable().describe('Of the file, if it is a single one'),
})
export type LastChange = z.infer<typeof LastChange>

export const lastChanges = endpoint({
  method: 'GET',
  path: '/api/changes',
  summary: 'What the caller has changed last and can undo, newest first; at most ten',
  act: 'media.edit',
  serializedPerPerson: true,
  answer: z.array(LastChange),
})

export const undoChange = endpoint({
  method: 'POST',
  path: '/api/changes/:id/undo',
  summary:
    "Undo one of the caller's changes for all its files, except those that were deleted or changed again since. What a call that failed has left can be undone by another one",
  act: 'media.edit',
  serializedPerPerson: true,
  params: IdInPath,
  answer: z.object({ restored: z.number().int().positive() }),
})
