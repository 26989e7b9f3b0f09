import { z } from 'zod'
import { Id, IdInPath, IdsInText } from './common.ts'
import { endpoint } from './endpoint.ts'
import { idsInQuery } from './limits.ts'
import { ChangedFileIds } from './media.ts'
import { Person } from './people.ts'

const Hearts = z.object({
  media_id: Id,
  people: z.array(Person).describe('Who loves it, the caller included, in the order in which they said so'),
})
export type Hearts = z.infer<typeof Hearts>

export const listHearts = endpoint({
  method: 'GET',
  path: '/api/hearts',
  summary: 'Who loves these files; files that nobody loves or that are gone are left out',
  act: 'media.see',
  offline: true,
  query: z.object({
    ids: IdsInText.optional().describe(`Up to ${idsInQuery} ids of files, with commas between them; absent: none`),
  }),
  answer: z.array(Hearts),
})

export const heartFile = endpoint({
  method: 'PUT',
  path: '/api/hearts/media/:id',
  summary: "Add a file to the caller's favourites; one that is there already stays",
  act: 'media.heart',
  params: IdInPath,
})

export const unheartFile = endpoint({
  method: 'DELETE',
  path: '/api/hearts/media/:id',
  summary: "Remove a file from the caller's favourites; one that is not there is no error",
  act: 'media.heart',
  params: IdInPath,
})

const ChangedFiles = z.object({
  fileIds: z.array(Id).describe('The files that this call changed: what it takes to undo it'),
})

export const heartFiles = endpoint({
  method: 'POST',
  path: '/api/hearts/media',
  summary: "Add many files to the caller's favourites at once; files already gone are skipped",
  act: 'media.heart',
  serializedPerPerson: true,
  body: z.object({ fileIds: ChangedFileIds }),
  answer: ChangedFiles,
})

export const unheartFiles = endpoint({
  method: 'POST',
  path: '/api/hearts/media/remove',
  summary: "Remove many files from the caller's favourites at once; files that are not there are skipped",
  act: 'media.heart',
  serializedPerPerson: true,
  body: z.object({ fileIds: ChangedFileIds }),
  answer: ChangedFiles,
})
