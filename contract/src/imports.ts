import { z } from 'zod'

/** Systems that libraries are imported from. */
export const importKinds = ['takeout'] as const
export type ImportKind = (typeof importKinds)[number]

const importStates = ['waiting', 'running', 'stopped', 'done', 'failed', 'undoing', 'undone'] as const
export type ImportState = (typeof importStates)[number]

/** Why a file was left out, or came without something that its source knows. */
const importProblems = [
  'unreadable',
  'not-a-photo-or-video',
  'sound-only',
  'unsafe-name',
  'link',
  'duplicate-name',
  'encrypted',
  'damaged-archive',
  'trashed',
  'failed-at-source',
  'other-product',
  'deleted-since',
  'no-sidecar',
  'ambiguous-sidecar',
  'sidecar-without-file',
  'broken-sidecar',
  'album-file-not-found',
  'album-file-ambiguous',
  'album-deleted-since',
  'incomplete',
] as const
export const ImportProblem = z.object({
  path: z.string(),
  reason: z.enum(importProblems),
  detail: z.string().optional(),
})
export type ImportProblem = z.infer<typeof ImportProblem>

/** What an import did. It stays. */
export const ImportReport = z.object({
  added: z.int(),
  added_bytes: z.int(),
  /** More copies of its files in the same source, such as in albums. */
  copies: z.int(),
  already_here: z.int(),
  /** Of those that were here already, how many got something that they lacked. */
  completed: z.int(),
  deleted_since: z.int(),
  albums: z.int(),
  problems: z.array(ImportProblem),
})
export type ImportReport = z.infer<typeof ImportReport>
