import { z } from 'zod'
import { asName, Id, IdInPath, isVisible, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { lengths } from './limits.ts'
import { refusal } from './refusal.ts'

/** What a program may do with an app password; `app-password-scopes.ts` lists the calls of each. */
export const AppPasswordScope = z.enum(['read', 'upload'])
export type AppPasswordScope = z.infer<typeof AppPasswordScope>

export const AppPassword = z.object({
  id: Id,
  name: z.string(),
  scope: AppPasswordScope,
  created_at: Moment,
  last_used_at: Moment.nullable().describe('To a minute; null: never'),
  last_used_address: z.string().nullable().describe('The IP address of the last use'),
})
export type AppPassword = z.infer<typeof AppPassword>

export const listAppPasswords = endpoint({
  method: 'GET',
  path: '/api/me/app-passwords',
  summary: "The caller's app passwords, the newest first",
  act: 'session.use',
  answer: z.array(AppPassword),
})

export const createAppPassword = endpoint({
  method: 'POST',
  path: '/api/me/app-passwords',
  summary: 'Make a password for a program. `upload` needs the right to upload',
  act: 'session.use',
  body: z.object({
    name: z
      .string()
      .overwrite(asName)
      .max(lengths.appPasswordName, refusal('passwords.nameTooLong', { count: lengths.appPasswordName }))
      .refine(isVisible, refusal('passwords.nameMissing')),
    scope: AppPasswordScope,
  }),
  status: 201,
  answer: z.object({
    app_password: AppPassword,
    password: z.string().describe('The server keeps only its hash, and never shows it again'),
  }),
})

export const endAppPassword = endpoint({
  method: 'DELETE',
  path: '/api/me/app-passwords/:id',
  summary: 'End an app password and the requests that use it',
  act: 'session.use',
  params: IdInPath,
})
