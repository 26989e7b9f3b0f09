import { z } from 'zod'
import { asName, Id, IdInPath, IdInText, inText, isVisible, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { guestUploads, lengths } from './limits.ts'
import { FileName, FileType, Incomplete, MediaStatus } from './media.ts'
import { Person } from './people.ts'
import { refusal } from './refusal.ts'

/** Guests may call themselves whatever they like, on one line. */
const GuestName = z
  .string()
  .overwrite(name => asName(name).normalize('NFC'))
  .max(lengths.guestName, refusal('people.nameTooLong', { count: lengths.guestName }))
  .refine(isVisible, refusal('people.nameMissing'))

export const nameGuest = endpoint({
  method: 'PUT',
  path: '/shared/:id/guest',
  summary: 'Say who one is, before sending files by an upload link. Sets the cookie of this guest',
  act: 'anyone',
  uncounted: true,
  params: IdInPath,
  body: z.object({ name: GuestName }),
  answer: z.object({ name: z.string() }),
})

/** On one line, without what turns its text around or hides in it: members read it beside other texts. */
const GuestFileName = z.string().overwrite(asName).pipe(FileName).refine(isVisible, refusal('files.nameMissing'))

/** A file as the guest sees it who sent it. Nothing here depends on what the library holds or what becomes of the file. */
export const SentFile = z.object({
  id: Id,
  name: z.string(),
  size: z.number().int().nonnegative(),
  sent_at: Moment,
  incomplete: Incomplete,
  picture: z.boolean().describe('Whether its picture can be shown: it is made, and nobody has looked the file through'),
})
export type SentFile = z.infer<typeof SentFile>

export const listSentFiles = endpoint({
  method: 'GET',
  path: '/shared/:id/uploads',
  summary: 'What this guest has sent by an upload link, newest first',
  act: 'anyone',
  params: IdInPath,
  query: z.object({
    limit: inText(z.number().int().min(1).max(500)).default(200),
    before: IdInText.optional().describe('For the next page: the `id` of the last file of this one'),
  }),
  answer: z.array(SentFile),
})

const ArrivedFile = z.object({
  uploadId: z.string().max(60),
  originalName: GuestFileName,
  lastModified: z.number().int().nullish().describe("The file's own date, in epoch milliseconds"),
})

export const finishSentFile = endpoint({
  method: 'POST',
  path: '/shared/:id/uploads',
  summary: 'Finish a file that has arrived by a resumable upload. The same call again changes nothing',
  act: 'anyone',
  uncounted: true,
  params: IdInPath,
  body: ArrivedFile.extend({ clip: ArrivedFile.optional().describe('The video of a Live Photo, beside its photo') }),
  status: 201,
  answer: SentFile.extend({
    with_clip: z.boolean().describe('False: no clip was named, or it does not belong to the photo. Hand it over alone'),
  }),
})

/** Resumable uploads (tus) of guests. */
export const guestTusPath = '/shared/:id/tus'
/** Answers with a picture instead of JSON. */
export const sentPicturePath = '/shared/:id/uploads/:upload/thumbnail'

/** A file that a guest has sent, which is not in the library unless a member accepts it. */
export const GuestUpload = z.object({
  id: Id,
  name: z.string(),
  file_type: FileType,
  file_size: z.number().int().nonnegative(),
  guest: z.string().describe('What the guest calls themselves'),
  album: z.object({ id: Id, title: z.string() }).nullable().describe('Where it was sent; null: deleted since'),
  sent_at: Moment,
  edtf: z.string().nullable().describe('When it was taken, as far as it is known, in EDTF; null: undated'),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  duration: z.number().nullable(),
  thumbhash: z.string().nullable(),
  status: MediaStatus,
  thumbnail_url: z.string().nullable(),
  preview_url: z.string().nullable().describe('A picture of at most 1920 px'),
  video_url: z.string().nullable(),
  live: z.boolean().describe('Whether it has a clip: a Live Photo or motion photo'),
  incomplete: Incomplete,
  decided_by: Person.nullable(),
  purged_at: Moment.nullable().describe('When it is removed for good, if it was not accepted'),
})
export type GuestUpload = z.infer<typeof GuestUpload>

export const listGuestUploads = endpoint({
  method: 'GET',
  path: '/api/guest-uploads',
  summary: 'What guests have sent by upload links, in the order of arrival',
  act: 'albums.edit',
  serializedPerPerson: true,
  query: z.object({
    album: IdInText.optional().describe('Only what was sent to this album'),
    state: z.enum(['waiting', 'rejected']).default('waiting'),
    limit: inText(z.number().int().min(1).max(guestUploads.page)).default(guestUploads.page),
    after: IdInText.optional().describe('For the next page: the `id` of the last one of this page'),
  }),
  answer: z.array(GuestUpload),
})

export const waitingGuestUploads = endpoint({
  method: 'GET',
  path: '/api/guest-uploads/waiting',
  summary: 'How many files of guests wait for review, by album',
  act: 'albums.edit',
  answer: z.array(
    z.object({
      album: z.object({ id: Id, title: z.string() }).nullable().describe('Null: of albums that are deleted'),
      waiting: z.number().int().positive(),
    }),
  ),
})

const Ids = z.object({ ids: z.array(Id).min(1, refusal('files.chooseOne')).max(guestUploads.decided) })
const Changed = z.object({
  ids: z.array(Id).describe('Those that this call changed: what it takes to undo it. Others were decided before'),
})

export const acceptGuestUploads = endpoint({
  method: 'POST',
  path: '/api/guest-uploads/accept',
  summary: 'Accept files of guests into the library and their album. A file that the library has is added to the album',
  act: 'albums.edit',
  serializedPerPerson: true,
  body: Ids,
  answer: Changed.extend({
    duplicates: z.number().int().nonnegative().describe('How many of them the library had already'),
  }),
})

export const rejectGuestUploads = endpoint({
  method: 'POST',
  path: '/api/guest-uploads/reject',
  summary: 'Reject files of guests. They are removed for good as deleted files are, and can be reconsidered until then',
  act: 'albums.edit',
  serializedPerPerson: true,
  body: Ids,
  answer: Changed,
})

export const reconsiderGuestUploads = endpoint({
  method: 'POST',
  path: '/api/guest-uploads/reconsider',
  summary: 'Undo: the files wait again. Only those that the caller has decided on, for admins all',
  act: 'albums.edit',
  serializedPerPerson: true,
  body: Ids,
  answer: Changed,
})
