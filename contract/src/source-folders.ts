import { z } from 'zod'
import { Moment } from './common.ts'
import { endpoint } from './endpoint.ts'

/** A file of the inbox folder that could not be stored, and was moved to `failed`. */
export const InboxFailure = z.object({
  name: z.string().describe('Its path below `failed`'),
  // A newer server may know others; `text` explains each.
  reason: z.enum(['not_media', 'audio_only', 'link', 'special', 'name', 'unreadable']).catch('unreadable'),
  text: z.string().describe('A sentence, in English'),
  at: Moment,
})
export type InboxFailure = z.infer<typeof InboxFailure>

export const InboxReport = z.object({
  state: z
    .enum(['ready', 'absent', 'no_owner', 'failing'])
    .catch('failing')
    .describe('absent: there is no such folder now; no_owner: nobody to give the files to; failing: see `problem`'),
  problem: z.string().nullable().describe('What stops it, in English'),
  waiting: z.number().int().describe('Files that are still being written, or wait for their turn'),
  failures: z.array(InboxFailure).describe('What lies in `failed`, newest first, at most a hundred'),
})
export type InboxReport = z.infer<typeof InboxReport>

export const SourceFolders = z.object({
  inbox: InboxReport.extend({ folder: z.string(), checked_at: Moment }).nullable().describe('Null: none is configured'),
})
export type SourceFolders = z.infer<typeof SourceFolders>

export const sourceFolders = endpoint({
  method: 'GET',
  path: '/api/admin/source-folders',
  summary: 'The inbox folder: how it is doing, and what could not be stored',
  act: 'library.administer',
  answer: SourceFolders,
})
