import { z } from 'zod'
import { Id, IdInPath, isVisible } from './common.ts'
import { endpoint } from './endpoint.ts'
import { lengths } from './limits.ts'
import { refusal } from './refusal.ts'

export const Folder = z.object({
  id: Id,
  name: z.string(),
  parent_id: Id.nullable(),
  level: z.number().int().nonnegative(),
  path: z.string().describe('The names from the root down, joined by " / "'),
  file_count: z.number().int().nonnegative().describe('Files in this folder itself'),
})
export type Folder = z.infer<typeof Folder>

export const FolderName = z
  .string()
  .trim()
  .max(lengths.folderName, refusal('folders.nameTooLong', { count: lengths.folderName }))
  .refine(isVisible, refusal('folders.nameMissing'))

/** Unique among siblings: names that differ only by case are equal. */
export function folderNameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

export const listFolders = endpoint({
  method: 'GET',
  path: '/api/folders',
  summary: 'Every folder, parents before their children',
  act: 'media.see',
  offline: true,
  answer: z.array(Folder),
})

export const Subfolder = z.object({
  id: Id,
  name: z.string(),
  file_count: z.number().int().nonnegative().describe('Files in this folder and in all folders below it'),
  cover: z
    .object({ thumbnail_url: z.string(), thumbhash: z.string().nullable() })
    .nullable()
    .describe('The newest of these files that has a thumbnail'),
})
export type Subfolder = z.infer<typeof Subfolder>

export const listSubfolders = endpoint({
  method: 'GET',
  path: '/api/folders/:id/subfolders',
  summary: 'The folders directly in a folder, each with a cover',
  act: 'media.see',
  offline: true,
  params: IdInPath,
  answer: z.array(Subfolder),
})

export const createFolder = endpoint({
  method: 'POST',
  path: '/api/folders',
  summary: 'Make a folder',
  act: 'media.edit',
  body: z.object({ name: FolderName, parent_id: Id.nullish() }),
  status: 201,
  answer: Folder,
})

export const updateFolder = endpoint({
  method: 'PUT',
  path: '/api/folders/:id',
  summary: 'Rename a folder, or put it into another',
  act: 'media.edit',
  params: IdInPath,
  body: z
    .object({
      name: FolderName.optional(),
      parent_id: Id.nullable().optional(),
      expected: z
        .object({ name: FolderName.optional(), parent_id: Id.nullable().optional() })
        .optional()
        .describe('For an undo: what is taken back; 409 if it is different by now'),
    })
    .refine(change => change.name !== undefined || change.parent_id !== undefined, refusal('request.noChange')),
  answer: Folder,
})

export const deleteFolder = endpoint({
  method: 'DELETE',
  path: '/api/folders/:id',
  summary: 'Delete a folder: its files go to the root, its folders up one level',
  act: 'media.edit',
  params: IdInPath,
})
