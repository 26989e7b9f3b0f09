import { z } from 'zod'
import { asName, Id, IdInPath, IdInText, IdsInText, inText, isVisible, Moment, StoredAddress } from './common.ts'
import { endpoint } from './endpoint.ts'
import { guestUploads, idsInQuery, links } from './limits.ts'
import { FileType, ReadFileIds } from './media.ts'
import { Person } from './people.ts'
import { refusal } from './refusal.ts'

/** A secret address that shows some files to people without an account. */
export const Link = z.object({
  id: Id,
  title: z.string().nullable().describe('What guests read above the photos'),
  album: z
    .object({ id: Id, title: z.string() })
    .nullable()
    .describe('The album that it shows; null: chosen files, or a deleted album'),
  album_deleted: z.boolean().describe('Whether it shows nothing because its album is deleted'),
  file_count: z.number().int().nonnegative().describe('How many files it shows now; deleted ones are left out'),
  first_file: z
    .object({ name: z.string(), thumbnail_url: z.string().nullable() })
    .nullable()
    .describe('One of its chosen files, to recognise it by; null for an album, or without files'),
  created_by: Person,
  created_at: Moment,
  expires_at: Moment.nullable().describe('Null: it works until somebody ends it'),
  has_password: z.boolean(),
  originals: z.boolean().describe('Whether guests may download the originals, with all that cameras wrote into them'),
  captions: z.boolean().default(false).describe('Whether guests see captions'),
  views: z
    .number()
    .int()
    .nonnegative()
    .describe('How often it was opened; a guest who comes back within a day counts once'),
  last_viewed_at: Moment.nullable(),
  ended_at: Moment.nullable(),
  address: StoredAddress.describe(
    'Whether `POST /api/links/:id/show` can show its address: `other_key` if it was encrypted with a key that this server does not have',
  ),
  uploads: z
    .object({
      max_files: z.number().int().positive(),
      max_bytes: z.number().int().positive(),
      files: z.number().int().nonnegative().describe('How many files guests have sent'),
      waiting: z.number().int().nonnegative().describe('How many of them wait for a review'),
    })
    .nullable()
    .describe('For a link by which guests send files to its album and see none; null: it shows files'),
})
export type Link = z.infer<typeof Link>

const LinkTitle = z
  .string()
  .overwrite(asName)
  .max(links.title, refusal('links.titleTooLong', { count: links.title }))
  .refine(isVisible, refusal('links.titleMissing'))

const LinkPassword = z
  .string()
  .min(links.password.shortest, refusal('links.passwordTooShort', { count: links.password.shortest }))
  .max(links.password.longest, refusal('links.passwordTooLong', { count: links.password.longest }))

const LinkDays = z.number().int().min(1).max(links.longestDays).nullable()

const LinkOptions = z.object({
  title: LinkTitle.optional(),
  password: LinkPassword.optional(),
  days: LinkDays.default(links.defaultDays).describe('How long it works; null: until somebody ends it'),
  originals: z.boolean().default(false),
  captions: z.boolean().default(false).describe('Whether guests see the words below the photos'),
})
export type LinkOptions = z.output<typeof LinkOptions>

const CreatedLink = Link.extend({
  url: z.string().describe('The address: a secret, of which the database has a hash and an encrypted copy'),
})
export type CreatedLink = z.infer<typeof CreatedLink>

export const createLink = endpoint({
  method: 'POST',
  path: '/api/links',
  summary: 'Make a secret address that shows these files to people without an account',
  act: 'links.make',
  serializedPerPerson: true,
  body: LinkOptions.extend({
    fileIds: ReadFileIds.max(links.files, refusal('links.manyFiles', { count: links.files })),
  }),
  status: 201,
  answer: CreatedLink,
})

export const quickLink = endpoint({
  method: 'POST',
  path: '/api/links/quick',
  summary:
    'The link to one file that one tap makes: without the originals, a password and captions, for 30 days. One that the caller has made in this way is used again, and works for 30 days from now on',
  act: 'links.make',
  serializedPerPerson: true,
  body: z.object({ fileId: Id }),
  answer: CreatedLink,
})

export const showLink = endpoint({
  method: 'POST',
  path: '/api/links/:id/show',
  summary: 'Show the address of a link again: to the person who made it, and to admins. Leaves an audit entry',
  act: 'links.make',
  params: IdInPath,
  answer: CreatedLink.pick({ url: true }),
})

export const copyLink = endpoint({
  method: 'POST',
  path: '/api/links/:id/copy',
  summary: 'Make another link like this one, whose address cannot be shown again: for the same people as `show`',
  act: 'links.make',
  serializedPerPerson: true,
  params: IdInPath,
  status: 201,
  answer: CreatedLink,
})

export const createAlbumLink = endpoint({
  method: 'POST',
  path: '/api/links/albums/:id',
  summary: 'The same for an album: guests see what it holds when they look',
  act: 'links.make',
  serializedPerPerson: true,
  params: IdInPath,
  body: LinkOptions,
  status: 201,
  answer: CreatedLink,
})

export const UploadLinkOptions = LinkOptions.omit({ originals: true, captions: true }).extend({
  max_files: z
    .number()
    .int()
    .min(1)
    .max(guestUploads.files.max)
    .default(guestUploads.files.default)
    .describe('How many files it takes from all guests together'),
  max_bytes: z.number().int().min(1).max(guestUploads.bytes.max).default(guestUploads.bytes.default),
})
export type UploadLinkOptions = z.output<typeof UploadLinkOptions>

export const createUploadLink = endpoint({
  method: 'POST',
  path: '/api/links/albums/:id/uploads',
  summary:
    'Make a secret address by which people without an account send files to an album. Members accept or reject them',
  act: 'links.make',
  serializedPerPerson: true,
  params: IdInPath,
  body: UploadLinkOptions,
  status: 201,
  answer: CreatedLink,
})

export const listLinks = endpoint({
  method: 'GET',
  path: '/api/links',
  summary:
    'The links that the caller made or that show an album of theirs, for admins those of everyone; newest first, without ended ones',
  // Not only who may make links: somebody who is a viewer by now still ends theirs.
  act: 'session.use',
  serializedPerPerson: true,
  query: z.object({
    limit: inText(z.number().int().min(1).max(200)).default(100),
    before: IdInText.optional().describe('For the next page: the `id` of the last link of this one'),
  }),
  answer: z.array(Link),
})

export const updateLink = endpoint({
  method: 'PATCH',
  path: '/api/links/:id',
  summary:
    'Change a link: the person who made it, or an admin. End it at once, or take that back: also who made the album that it shows',
  act: 'session.use',
  serializedPerPerson: true,
  params: IdInPath,
  body: z
    .object({
      ended: z.boolean().optional().describe('False, for an undo: only by the person who ended it'),
      title: LinkTitle.nullable().optional().describe('Null: none'),
      password: LinkPassword.nullable().optional().describe('Null: none. Guests who have opened it need a new one too'),
      days: LinkDays.optional().describe('How long it works from now on; null: until somebody ends it'),
      originals: z.boolean().optional(),
      captions: z.boolean().optional(),
      expected: z
        .object({ title: LinkTitle.nullable(), originals: z.boolean(), captions: z.boolean().optional() })
        .optional()
        .describe('For an undo: what is taken back; 409 if it is different by now'),
    })
    .refine(
      ({ expected: _, ...change }) => Object.values(change).some(value => value !== undefined),
      refusal('request.noChange'),
    ),
  answer: Link,
})

/** The page that guests open: `/s#12.token`. Browsers send nothing of what follows the #, so no server can log it. */
export const sharedPagePath = '/s'

const LinkToken = z.string().max(100)

/** What guests know of a link. */
export const SharedLink = z.object({
  id: Id,
  title: z.string().nullable(),
  file_count: z.number().int().nonnegative(),
  by_day: z.boolean().describe('Whether the files are in the order of their dates; else people have arranged them'),
  expires_at: Moment.nullable(),
  originals: z.boolean(),
  uploads: z
    .object({ guest: z.string().nullable().describe('The name that this guest has given; null: none yet') })
    .nullable()
    .describe('For a link by which guests send files; null: it shows files'),
})
export type SharedLink = z.infer<typeof SharedLink>

export const openShared = endpoint({
  method: 'POST',
  path: '/shared/:id/open',
  summary: 'Open a link with the secret of its address and its password. Sets the cookie that the addresses below need',
  act: 'anyone',
  // Has its own rate limits, which are stricter.
  uncounted: true,
  params: IdInPath,
  body: z.object({ token: LinkToken, password: z.string().max(links.password.longest).optional() }),
  answer: z.object({ link: SharedLink.nullable().describe('Null: it needs its password') }),
})

/** A file as guests see it: no name, place, camera or uploader, and its caption only where the link shows it. */
export const GuestFile = z.object({
  id: Id,
  file_type: FileType,
  date: z.string().nullable().describe('When it was taken, by the clock of that place, in EDTF; null: not known'),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  duration: z.number().nullable(),
  thumbhash: z.string().nullable(),
  caption: z.string().nullable().default(null).describe('Null: none, or the link shows no captions'),
  pictures: z.boolean().describe('Whether its pictures are made'),
  video: z.boolean().describe('Whether its video is made'),
})
export type GuestFile = z.infer<typeof GuestFile>

export const sharedFiles = endpoint({
  method: 'GET',
  path: '/shared/:id/files',
  summary: 'The files of a link, in the order of its album or oldest first',
  act: 'anyone',
  params: IdInPath,
  query: z.object({
    offset: inText(z.number().int().min(0).max(10_000_000)).default(0),
    limit: inText(z.number().int().min(1).max(1_000)).default(500),
    ids: IdsInText.optional().describe(
      `Only these, up to ${idsInQuery}, with commas between them; those that it does not show are missing`,
    ),
  }),
  answer: z.object({ link: SharedLink, files: z.array(GuestFile) }),
})

/** Pictures and videos made without metadata, except `original`, which the link has to allow. */
export const SharedSize = z.enum(['thumbnail', 'mobile', 'website', 'desktop', 'video', 'original'])
export type SharedSize = z.infer<typeof SharedSize>

/** Answers with bytes instead of JSON. With `?download=true`, a browser saves them. */
export const sharedFilePath = '/shared/:id/files/:file/:size'
/** All files of a link. With `?originals=true` the originals, if the link allows it. */
export const sharedZipPath = '/shared/:id/zip'
