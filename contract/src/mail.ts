import { z } from 'zod'
import { IdInPath, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Language } from './people.ts'

/** How often a person gets a mail of what is new. */
export const Digest = z.enum(['off', 'daily', 'weekly'])
export type Digest = z.infer<typeof Digest>

const MyMail = z.object({
  available: z.boolean().describe('False: this server sends no mails'),
  address: z.string().describe("The caller's e-mail address at the identity provider"),
  digest: Digest,
})
export type MyMail = z.infer<typeof MyMail>

export const myMail = endpoint({
  method: 'GET',
  path: '/api/me/mail',
  summary: 'Which mails the caller gets, and where',
  act: 'session.use',
  offline: true,
  answer: MyMail,
})

export const changeMyMail = endpoint({
  method: 'PUT',
  path: '/api/me/mail',
  summary: 'Choose how often the caller gets a mail of what is new',
  act: 'session.use',
  body: z.object({ digest: Digest }),
  answer: MyMail,
})

export const tryMail = endpoint({
  method: 'POST',
  path: '/api/me/mail/try',
  summary: 'Send the caller a mail of the last seven days, to try it',
  act: 'session.use',
})

const MailStatus = z.object({
  configured: z.boolean(),
  from: z.string().nullable().describe('The address of the sender'),
  waiting: z.number().int().describe('Mails that are still to be sent'),
  last_sent: Moment.nullable(),
  last_error: z
    .object({
      at: Moment,
      text: z.string().describe('What the mail server said, in its own words'),
      outcome: z
        .enum(['waiting', 'sent', 'failed'])
        .catch('failed')
        .describe('What became of that mail: it is tried again, was sent later, or was given up'),
    })
    .nullable(),
})
export type MailStatus = z.infer<typeof MailStatus>

export const mailStatus = endpoint({
  method: 'GET',
  path: '/api/admin/mail',
  summary: 'Whether this server sends mails, and the last error of the last 30 days',
  act: 'library.administer',
  answer: MailStatus,
})

export const mailInvitation = endpoint({
  method: 'POST',
  path: '/api/admin/invitations/:id/mail',
  summary: 'Send the link of an open invitation to the e-mail address that it is for. Leaves an audit entry',
  act: 'people.review',
  params: IdInPath,
  body: z.object({ language: Language }),
})

/** GET asks with a page, POST acts (RFC 8058). With `token` in the query. */
export const unsubscribePath = '/mail/unsubscribe'
