import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Person } from './people.ts'
import { Cover } from './places.ts'

const Count = z.number().int().nonnegative()

const FamilyMember = Person.extend({
  avatar_url: z.string().nullable(),
  former: z.boolean().describe('True: they can no longer sign in. Only those who have left something'),
  added: Count.describe('Their files: the filter `uploader` of the lists'),
  loved: Count.describe('Files with their heart: the filter `hearted_by`'),
  written: Count.describe('Their notes and their comments on albums'),
  recent: z.array(Cover).describe('The newest photos and videos that they added'),
})
export type FamilyMember = z.infer<typeof FamilyMember>

export const listFamily = endpoint({
  method: 'GET',
  path: '/api/people',
  summary: 'Everybody in the family, with what they added, love and wrote',
  act: 'people.see',
  serializedPerPerson: true,
  answer: z.object({ members: z.array(FamilyMember).describe('By name, those with access first') }),
})
