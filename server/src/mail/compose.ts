import { buffer } from 'node:stream/consumers'
import { can } from '#contract/rights.ts'
import type { Locale } from '#messages/locales.ts'
import type { Database } from '../db/database.ts'
import type { MailRow } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { textsIn } from '../kit/messages.ts'
import { type InvitationLinkDeps, invitationLink, personById } from '../people/public.ts'
import type { Storage } from '../storage/storage.ts'
import { adminContent } from './admin-mail.ts'
import { collectDigest, isNews, localDay } from './digest.ts'
import { dateIn, digestContent } from './digest-mail.ts'
import type { Payloads } from './outbox.ts'
import { findRecipient, type Recipient } from './recipients.sql.ts'
import { type Block, type MailContent, oneLine, type Picture, plainName, renderHtml, renderText } from './render.ts'
import { isSendable } from './settings.ts'
import type { InlinePicture, ReadyMail } from './transport.ts'

export interface ComposeDeps extends InvitationLinkDeps {
  db: Database
  storage: Pick<Storage, 'read'>
  config: { title: string; homeTimeZone: string }
  publicUrl: URL
  /** The address that ends the digests of a person. */
  unsubscribeUrl: (personId: number) => Promise<string>
}

type ComposedMail = Omit<ReadyMail, 'messageId' | 'date'>

interface Composed {
  content: MailContent
  pictures?: readonly InlinePicture[]
  unsubscribeUrl?: string
}

/**
 * Puts a mail into words at the moment when it is sent, in the language of its recipient. A text says why it must not be sent
 * any more.
 */
export async function composeMail(deps: ComposeDeps, row: MailRow): Promise<ComposedMail | string> {
  if (row.kind === 'invitation') return composeInvitation(deps, JSON.parse(row.payload))
  const recipient = row.person_id === null ? undefined : await findRecipient(deps.db.query, row.person_id)
  if (!recipient) return 'the person has no access'
  if (!isSendable(recipient.email)) return 'not an e-mail address that mails can be sent to'
  const locale = recipient.language ?? 'en'
  const composed = await composers[row.kind](deps, JSON.parse(row.payload) as never, {
    ...recipient,
    locale,
  })
  return typeof composed === 'string' ? composed : ready(composed, recipient.email, locale)
}

function ready({ content, pictures = [], unsubscribeUrl }: Composed, to: string, locale: Locale): ComposedMail {
  const { subject } = content
  return { to, subject, text: renderText(content), html: renderHtml(content, locale), pictures, unsubscribeUrl }
}

type Reader = Recipient & { locale: Locale }

type Composer<Kind extends keyof Payloads> = (
  deps: ComposeDeps,
  payload: Payloads[Kind],
  reader: Reader,
) => Promise<Composed | string>

const composers: { [Kind in Exclude<MailRow['kind'], 'invitation'>]: Composer<Kind> } = {
  async digest(deps, period, reader) {
    if (reader.digest === null) return 'the person wants no digest'
    return composeDigest(deps, period, reader, { isTrial: false })
  },

  try: (deps, period, reader) => composeDigest(deps, period, reader, { isTrial: true }),

  async welcome({ config: { title: library }, publicUrl }, _, { locale }) {
    const { welcome, footer } = textsIn('mail', locale)
    return {
      content: {
        subject: welcome.subject({ library }),
        blocks: [
          { type: 'title', text: welcome.heading },
          { type: 'text', text: welcome.text({ library }) },
          { type: 'button', text: welcome.open({ library }), url: publicUrl.href },
        ],
        footer: [{ type: 'text', text: footer.signIn }],
      },
    }
  },

  async request(deps, { personId }, { role, locale }) {
    if (!can(role, 'people.review')) return 'the person is no admin'
    const person = await personById(deps.db.query, personId)
    if (person?.status !== 'pending') return 'the request was decided'
    const texts = textsIn('mail', locale).request
    const { title: library } = deps.config
    return adminContent(deps, locale, {
      subject: texts.subject({ library }),
      heading: texts.heading,
      lines: [
        texts.text,
        texts.name({ name: plainName(person.name) }),
        // As it is, since an admin may have to compare it.
        texts.email({ email: oneLine(person.email, 254) }),
      ],
      open: texts.open,
    })
  },

  async alert(deps, { problems }, { role, locale }) {
    if (!can(role, 'library.administer')) return 'the person is no admin'
    const texts = textsIn('mail', locale).alert
    const size = (bytes: number) =>
      new Intl.NumberFormat(locale, { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 }).format(bytes / 1e9)
    const lines = problems.flatMap(problem => {
      if (problem.kind === 'disk') return texts.disk({ free: size(problem.free), total: size(problem.total) })
      if (problem.kind === 'damaged')
        return [texts.damaged({ count: problem.count }), ...problem.names.map(name => oneLine(name))]
      if (problem.at === null) return texts.noBackup
      return texts.backup({ day: dateIn(locale, localDay(deps.config.homeTimeZone, problem.at)) })
    })
    const { title: library } = deps.config
    return adminContent(deps, locale, {
      subject: texts.subject({ library }),
      heading: texts.heading,
      lines,
      open: texts.open,
    })
  },
}

async function composeDigest(
  deps: ComposeDeps,
  { since, until }: Payloads['digest'],
  { id, locale }: Reader,
  { isTrial }: { isTrial: boolean },
): Promise<Composed | string> {
  const { db, config, publicUrl } = deps
  const { title: library, homeTimeZone } = config
  const found = await collectDigest(db, { personId: id, since, until }, homeTimeZone)
  if (!isTrial && !isNews(found)) return 'what it was about is gone'
  const { digest, footer } = textsIn('mail', locale)
  const urlOf = (path: string) => new URL(path, publicUrl).href
  const pictures: Picture[] = []
  const files: InlinePicture[] = []
  for (const { id: fileId, key, width, height } of found.pictures) {
    const jpeg = await readPicture(deps, key)
    if (!jpeg) continue
    const number = files.length + 1
    const cid = `picture-${number}@heirloom`
    files.push({ cid, jpeg })
    const [alt, url] = [digest.picture({ number: String(number) }), urlOf(`/?file=${fileId}`)]
    pictures.push({ cid, alt, url, width: width ?? 1, height: height ?? 1 })
  }
  const day = localDay(homeTimeZone, since)
  const content = digestContent(found, { library, locale, day, isTrial, pictures, urlOf })
  const unsubscribeUrl = await deps.unsubscribeUrl(id)
  const small: Block[] = isTrial
    ? []
    : [
        { type: 'text', text: footer.digest({ library }) },
        { type: 'link', text: footer.unsubscribe, url: unsubscribeUrl },
      ]
  small.push({ type: 'link', text: footer.settings, url: urlOf('/settings') }, { type: 'text', text: footer.signIn })
  return { content: { ...content, footer: small }, pictures: files, ...(isTrial ? {} : { unsubscribeUrl }) }
}

/** Undefined if it has just been replaced or removed. */
async function readPicture({ storage }: ComposeDeps, key: string): Promise<Buffer | undefined> {
  try {
    return await buffer((await storage.read(key)).stream)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

async function composeInvitation(
  deps: ComposeDeps,
  { invitationId, language }: Payloads['invitation'],
): Promise<ComposedMail | string> {
  const link = await invitationLink(deps, deps.db.query, invitationId).catch(error => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (!link) return 'the invitation has ended'
  const { email, auto_approve, inviter, expires_at } = link.invitation
  if (email === null || !isSendable(email)) return 'not an e-mail address that mails can be sent to'
  const texts = textsIn('mail', language).invitation
  const { title: library, homeTimeZone } = deps.config
  const name = plainName(inviter)
  const content: MailContent = {
    subject: texts.subject({ library }),
    blocks: [
      { type: 'title', text: texts.heading },
      { type: 'text', text: texts.text({ name, library }) },
      { type: 'text', text: auto_approve === 1 ? texts.approved : texts.asksFirst({ name }) },
      { type: 'button', text: texts.open, url: link.url },
    ],
    footer: [{ type: 'text', text: texts.until({ day: dateIn(language, localDay(homeTimeZone, expires_at)) }) }],
  }
  return ready({ content }, email, language)
}
