import { z } from 'zod'
import { Id, IdInPath } from './common.ts'
import { endpoint } from './endpoint.ts'
import { exportLimits } from './limits.ts'
import { ReadFileIds } from './media.ts'

export const Export = z.object({
  id: Id,
  title: z.string(),
  status: z
    .enum(['preparing', 'ready', 'failed', 'outdated'])
    .describe('Outdated: a file of it has been removed for good since'),
  progress: z.number().int().min(0).max(100).describe('While it is prepared, in percent'),
  files: z.number().int().nonnegative().nullable().describe('Photos and videos; null: all of the library'),
  missing: z.number().int().nonnegative().describe('Files that the library has lost'),
  part_bytes: z.number().int().positive(),
  parts: z.array(z.object({ name: z.string(), size: z.number().int().positive() })),
  created_at: z.string(),
  expires_at: z.string(),
})
export type Export = z.infer<typeof Export>

export const listExports = endpoint({
  method: 'GET',
  path: '/api/exports',
  summary: "The caller's own downloads in parts, the latest first",
  act: 'media.see',
  answer: z.array(Export),
})

export const requestExport = endpoint({
  method: 'POST',
  path: '/api/exports',
  summary:
    'Prepare a download of the whole library, or of some files, as ZIPs: originals with sidecars, albums, a page that shows them and, with the whole library, the own chats',
  act: 'media.see',
  serializedPerPerson: true,
  body: z.object({
    fileIds: ReadFileIds.optional().describe('Absent: all files'),
    title: z.string().trim().max(200).optional(),
    part_bytes: z.number().int().min(exportLimits.smallestPart).max(exportLimits.largestPart),
  }),
  status: 201,
  answer: Export,
})

export const linkExport = endpoint({
  method: 'POST',
  path: '/api/exports/:id/link',
  summary: 'An address from which a browser fetches the parts, without a header, while this session lasts; add &part=1',
  act: 'media.see',
  params: IdInPath,
  answer: z.object({ url: z.string() }),
})

export const removeExport = endpoint({
  method: 'DELETE',
  path: '/api/exports/:id',
  summary: 'Remove what was prepared for a download',
  act: 'media.see',
  params: IdInPath,
})

/** The download of a part. Answers with bytes instead of JSON, and with ranges of them. */
export const exportPath = '/export'
