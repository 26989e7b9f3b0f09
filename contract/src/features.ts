import { z } from 'zod'
import { Id } from './common.ts'
import type { Role } from './role.ts'

interface Feature {
  /** Permissions, and the roles that have them. */
  rights: Readonly<Record<string, readonly Role[]>>
  /**
   * Live events: they say what changed, never the new value, which the page fetches with the usual permission checks.
   * Those about conversations and notifications are sent to their participants only.
   */
  events: readonly z.ZodObject<{ kind: z.ZodLiteral<string> }>[]
  /** Notifications that a person can switch off. Requests for access and the welcome cannot be. */
  mutable: readonly string[]
}

/** A viewer sees everything, gives hearts, chats and writes notes, but changes and uploads nothing else. */
const [everybody, members, admins] = [
  ['viewer', 'member', 'admin'],
  ['member', 'admin'],
  ['admin'],
] as const satisfies Role[][]

/** What each feature declares for both sides. The only place that decides who may do what. */
export const features = {
  sessions: {
    rights: { 'session.use': everybody },
    events: [],
    mutable: [],
  },
  people: {
    rights: { 'people.see': everybody, 'people.review': admins, 'library.administer': admins },
    events: [z.object({ kind: z.literal('people') })],
    mutable: ['mention'],
  },
  media: {
    rights: {
      'media.see': everybody,
      'media.upload': members,
      'media.edit': members,
      // What somebody else has deleted of theirs, also if they are a viewer by now.
      'trash.restore': everybody,
      'trash.manage-others': admins,
    },
    events: [
      z.object({ kind: z.literal('media'), ids: z.array(Id).describe('Empty: many, or which ones is not known') }),
    ],
    mutable: ['deleted'],
  },
  folders: {
    rights: {},
    events: [z.object({ kind: z.literal('folders') })],
    mutable: [],
  },
  albums: {
    rights: { 'albums.edit': members, 'albums.edit-others': admins },
    events: [
      z.object({ kind: z.literal('albums'), id: Id.describe('Its title, files or order, or whether it exists') }),
      z.object({ kind: z.literal('album-comments'), album_id: Id }),
    ],
    mutable: [],
  },
  comments: {
    rights: {
      'notes.write': everybody,
      'notes.edit-others': members,
      'notes.restore-others': admins,
      'comments.edit-others': admins,
    },
    events: [z.object({ kind: z.literal('notes'), media_id: Id })],
    mutable: ['comment'],
  },
  tags: {
    rights: {},
    events: [z.object({ kind: z.literal('tags'), media_id: Id.nullable().describe('Null: of many files') })],
    mutable: ['tag'],
  },
  chat: {
    rights: { 'chat.use': everybody },
    events: [
      z.object({ kind: z.literal('conversations'), id: Id.describe('Its name, its people or what they have read') }),
      z.object({ kind: z.literal('messages'), conversation_id: Id }),
      z.object({ kind: z.literal('typing'), conversation_id: Id, person_id: Id }),
    ],
    mutable: ['message'],
  },
  hearts: {
    rights: { 'media.heart': everybody },
    events: [
      z.object({
        kind: z.literal('hearts'),
        person_id: Id.describe('Whose favourites have changed'),
        ids: z.array(Id).describe('Of the files. Empty: many'),
      }),
    ],
    mutable: ['hearts'],
  },
  memories: {
    rights: {},
    events: [z.object({ kind: z.literal('memories') })],
    mutable: [],
  },
  links: {
    rights: { 'links.make': members, 'links.manage-others': admins },
    events: [z.object({ kind: z.literal('links') })],
    mutable: [],
  },
  guestUploads: {
    rights: {},
    events: [
      z
        .object({ kind: z.literal('guest-uploads') })
        .describe('Guests have sent files, or somebody has decided on some'),
    ],
    mutable: ['guests'],
  },
  notifications: {
    rights: { 'notifications.use': everybody },
    events: [z.object({ kind: z.literal('notifications') })],
    mutable: [],
  },
} as const satisfies Record<string, Feature>
