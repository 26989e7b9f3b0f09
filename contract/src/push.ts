import { z } from 'zod'
import { Id, IdInPath, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { NotificationTarget } from './notifications.ts'
import { Language } from './people.ts'
import { refusal } from './refusal.ts'

/** What a device can be notified of. */
export const PushKind = z.enum(['mentions', 'messages', 'notes', 'hearts', 'photos', 'memories', 'requests'])
export type PushKind = z.infer<typeof PushKind>

const MinuteOfDay = z
  .number()
  .int()
  .min(0)
  .max(24 * 60 - 1)

/** What a person chooses for one device. */
export const PushChoices = z.object({
  kinds: z.array(PushKind).max(PushKind.options.length),
  previews: z.boolean().describe('Whether notifications have names and the beginning of what was written'),
  quiet: z
    .object({ from: MinuteOfDay, until: MinuteOfDay })
    .nullable()
    .describe('Minutes of the day, in the time zone of the device, between which nothing is sent'),
})
export type PushChoices = z.infer<typeof PushChoices>

/** What a device is notified of until its person chooses otherwise. "On this day" has to be switched on. */
export const usualPushChoices: PushChoices = {
  kinds: PushKind.options.filter(kind => kind !== 'memories'),
  previews: false,
  quiet: { from: 22 * 60, until: 7 * 60 },
}

const PushDevice = PushChoices.extend({
  id: Id,
  device: z.string().nullable().describe('As in "Chrome on Android"; null if unknown'),
  current: z.boolean().describe('The session of this call'),
  created_at: Moment,
})
export type PushDevice = z.infer<typeof PushDevice>

const MyPush = z.object({
  public_key: z.string().describe('The VAPID key of this server, which browsers subscribe with'),
  devices: z.array(PushDevice).describe("The caller's devices that get notifications"),
  renewal: z
    .string()
    .nullable()
    .describe('By which the service worker of this device names its new address; null: it gets no notifications'),
})
export type MyPush = z.infer<typeof MyPush>

const longestEndpoint = 1_000

/** A web address at the push service of the browser's maker. The server checks where it leads each time it sends. */
const Endpoint = z.string().max(longestEndpoint).refine(isPushAddress, refusal('push.endpoint'))

function isPushAddress(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** An uncompressed point of the curve P-256, and 16 bytes, in Base64 for URLs. */
const Subscription = z.object({
  endpoint: Endpoint,
  p256dh: z.string().regex(/^B[A-Za-z0-9_-]{86}$/, refusal('push.keys')),
  auth: z.string().regex(/^[A-Za-z0-9_-]{22}$/, refusal('push.keys')),
})

export const myPush = endpoint({
  method: 'GET',
  path: '/api/me/push',
  summary: "The caller's devices that get notifications",
  act: 'notifications.use',
  answer: MyPush,
})

export const subscribeToPush = endpoint({
  method: 'PUT',
  path: '/api/me/push',
  summary: 'Send notifications to the device of this session, until the session ends',
  act: 'notifications.use',
  body: Subscription.extend({
    language: Language,
    time_zone: z.string().max(100),
    choices: PushChoices.optional().describe('Absent: as before, and only if the device has not been removed'),
  }),
  answer: MyPush,
})

export const changeMyPush = endpoint({
  method: 'PATCH',
  path: '/api/me/push',
  summary: 'Change what the device of this session is notified of',
  act: 'notifications.use',
  body: PushChoices.partial(),
  answer: MyPush,
})

export const endPush = endpoint({
  method: 'DELETE',
  path: '/api/me/push/:id',
  summary: 'Send no more notifications to a device',
  act: 'notifications.use',
  params: IdInPath,
  answer: MyPush,
})

/** Browsers may change the address while no page is open; the service worker knows no session. */
export const renewPush = endpoint({
  method: 'POST',
  path: '/api/push/renew',
  summary: 'Send notifications to the new address of a device',
  act: 'anyone',
  body: Subscription.extend({ renewal: z.string().max(100) }),
})

/** What a push message holds. Its bytes are encrypted for the browser; the push service cannot read them. */
export const PushPayload = z.object({
  person: Id,
  kind: z.enum([...PushKind.options, 'gathered']),
  /** Of the notification that it is about; null: of none alone. */
  notification: Id.nullable(),
  title: z.string(),
  body: z.string(),
  /** What is shown where the device belongs to somebody else by now, or to nobody. */
  general: z.string(),
  language: z.string(),
  /** A later one with the same tag replaces it on the device. */
  tag: z.string(),
  target: NotificationTarget.nullable(),
  unread: z.number().int().nonnegative(),
  at: z.number(),
})
export type PushPayload = z.infer<typeof PushPayload>
