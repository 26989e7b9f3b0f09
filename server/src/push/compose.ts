import { push as limits } from '#contract/limits.ts'
import type { PushKind, PushPayload } from '#contract/push.ts'
import type { Locale } from '#messages/locales.ts'
import type { Handle } from '../db/schema.ts'
import { textsIn } from '../kit/messages.ts'
import { selectUploaders } from '../mail/public.ts'
import { countUnread, noticeIn, type UnreadDeps, unreadNotification, unreadSince } from '../notifications/public.ts'
import { kindsOf, type Recipient } from './push.sql.ts'
import { type About, type PushJob, pushKindOf } from './pushes.ts'

type Content = Pick<PushPayload, 'kind' | 'notification' | 'title' | 'body' | 'general' | 'tag' | 'target'>

/**
 * What a device shows, as of now: somebody else's words and names only for people who chose previews. Undefined if there is
 * nothing left to say, because it was read or removed or the person may not know of it any more.
 */
export async function composePush(
  deps: UnreadDeps,
  handle: Handle,
  recipient: Recipient,
  { about, at }: PushJob,
): Promise<PushPayload | undefined> {
  const reader = { id: recipient.person_id, role: recipient.role }
  const content = await contentOf(deps, handle, recipient, about)
  if (!content) return undefined
  const language = languageOf(recipient)
  return { ...content, person: reader.id, language, unread: await countUnread(handle, reader), at }
}

function languageOf({ chosen_language, language }: Recipient): Locale {
  return chosen_language ?? language
}

function contentOf(deps: UnreadDeps, handle: Handle, recipient: Recipient, about: About) {
  if (about.what === 'notification') return ofNotification(deps, handle, recipient, about)
  if (about.what === 'photos') return ofPhotos(handle, recipient, about)
  return ofQuietHours(deps, handle, recipient, about)
}

async function ofNotification(
  deps: UnreadDeps,
  handle: Handle,
  recipient: Recipient,
  { id, kind }: { id: number; kind: PushKind },
): Promise<Content | undefined> {
  if (!kindsOf(recipient).includes(kind) || kind === 'photos') return undefined
  const reader = { id: recipient.person_id, role: recipient.role }
  const found = await unreadNotification(deps, handle, reader, id)
  if (!found?.target) return undefined
  const language = languageOf(recipient)
  const general = textsIn('push', language)[kind]
  const words = recipient.previews
    ? { title: noticeIn(language, found.title), body: noticeIn(language, found.message) }
    : { title: general, body: '' }
  return { kind, notification: id, ...words, general, tag: tagOf(kind, found.target, id), target: found.target }
}

/** Messages of one conversation replace each other, and so do notifications that sum up what several people did. */
function tagOf(kind: PushKind, target: NonNullable<Content['target']>, id: number): string {
  if (kind === 'messages' && target.kind === 'conversation') return `conversation-${target.conversation_id}`
  return kind === 'hearts' || kind === 'memories' ? kind : `notification-${id}`
}

async function ofPhotos(
  handle: Handle,
  recipient: Recipient,
  period: { since: number; until: number },
): Promise<Content | undefined> {
  if (!kindsOf(recipient).includes('photos')) return undefined
  const uploaders = await selectUploaders(handle, { ...period, personId: recipient.person_id })
  if (uploaders.length === 0) return undefined
  const language = languageOf(recipient)
  const texts = textsIn('push', language)
  const count = uploaders.reduce((sum, { files }) => sum + files, 0)
  const general = texts.photos({ count })
  const names = new Intl.ListFormat(language).format(uploaders.slice(0, 3).map(({ name }) => name))
  const body = recipient.previews ? texts.addedBy({ names }) : ''
  const target = { kind: 'library' } as const
  return { kind: 'photos', notification: null, title: general, body, general, tag: 'photos', target }
}

/** One notification for all; if it is only one, then that one. */
async function ofQuietHours(
  deps: UnreadDeps,
  handle: Handle,
  recipient: Recipient,
  { since }: { since: number },
): Promise<Content | undefined> {
  const reader = { id: recipient.person_id, role: recipient.role }
  const wanted = kindsOf(recipient)
  const unread = await unreadSince(handle, reader, { since, limit: limits.gathered })
  const toSay = unread.flatMap(one => {
    const kind = pushKindOf(one)
    return kind !== undefined && wanted.includes(kind) ? { id: one.id, kind } : []
  })
  const [first] = toSay
  if (first === undefined) return undefined
  if (toSay.length === 1) return ofNotification(deps, handle, recipient, first)
  const texts = textsIn('push', languageOf(recipient))
  const count = toSay.length
  const title = count < limits.gathered ? texts.gathered({ count }) : texts.manyGathered({ count: count - 1 })
  const target = { kind: 'library' } as const
  return { kind: 'gathered', notification: null, title, body: '', general: title, tag: 'gathered', target }
}
