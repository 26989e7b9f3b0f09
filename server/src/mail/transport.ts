import { setTimeout as wait } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { asName } from '#contract/common.ts'
import { mail as limits, MINUTE } from '#contract/limits.ts'
import type { Clock } from '../kit/clock.ts'
import type { MailSettings } from './settings.ts'

export interface InlinePicture {
  cid: string
  jpeg: Buffer
}

export interface ReadyMail {
  messageId: string
  date: Date
  to: string
  subject: string
  text: string
  html: string
  pictures: readonly InlinePicture[]
  /** The address that ends mails of this kind with one POST. */
  unsubscribeUrl: string | undefined
}

/** What a mail server said, or why it could not be reached. */
export class MailRefused extends Error {
  /** Whether another attempt would be refused, too. */
  readonly isPermanent: boolean
  /** For admins: it may name the recipient, so it is not logged. */
  readonly answer: string

  constructor(cause: unknown) {
    const { code = 'EUNKNOWN', command, responseCode = 0, response, message } = cause as SmtpError
    super(`The mail server refused a mail, or could not be reached: ${code} ${responseCode || ''}`.trim())
    this.name = 'MailRefused'
    // A refused password or a busy server concerns all mails, and an admin can mend it.
    this.isPermanent = responseCode >= 500 && /^(MAIL FROM|RCPT TO|DATA)$/.test(command ?? '')
    this.answer = asName(response ?? message ?? code).slice(0, 300)
  }
}

interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  message?: string
}

export type Deliver = (mail: ReadyMail) => Promise<void>

/** Sends through the configured mail server, one connection for each mail. */
export function createDelivery({ from, ...server }: MailSettings): Deliver {
  const transport = createTransport({
    ...server,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ to, pictures, unsubscribeUrl, ...mail }) => {
    try {
      await transport.sendMail({
        ...mail,
        from,
        to: { name: '', address: to },
        // Not parsed from the headers.
        envelope: { from: from.address, to: [to] },
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
        },
        attachments: pictures.map(({ cid, jpeg }) => ({
          ...{ cid, content: jpeg, contentType: 'image/jpeg', filename: `${cid}.jpg` },
          contentDisposition: 'inline' as const,
        })),
      })
    } catch (error) {
      throw new MailRefused(error)
    }
  }
}

/** RFC 8058. Prepared, since a folded address would be cut. */
function unsubscribeHeaders(url: string) {
  return {
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

/** Resolves when one more mail may be sent: at most so many in any minute. */
export function createPace(clock: Clock, perMinute: number = limits.perMinute) {
  const sent: number[] = []
  return async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      while (sent[0] !== undefined && sent[0] <= clock() - MINUTE) sent.shift()
      const [oldest] = sent
      if (oldest === undefined || sent.length < perMinute) break
      await wait(oldest + MINUTE - clock(), undefined, { signal })
    }
    sent.push(clock())
  }
}
