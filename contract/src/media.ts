import { z } from 'zod'
import { ChangeId, Continues, changeAnswer, UndoableChange } from './changes.ts'
import { asName, Id, IdInPath, isVisible, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { bulkChanges, lengths, rotations } from './limits.ts'
import { DatePrecision, PhotoMetadata } from './metadata.ts'
import { Person } from './people.ts'
import { refusal } from './refusal.ts'

export const FileType = z.enum(['image', 'video'])
export type FileType = z.infer<typeof FileType>

export const MediaStatus = z.enum(['processing', 'ready', 'failed'])
export type MediaStatus = z.infer<typeof MediaStatus>

const VariantUrls = z.object({
  thumbnail: z.string(),
  mobile: z.string(),
  website: z.string(),
  desktop: z.string(),
})

export const Rotation = z.literal(rotations)
export type Rotation = z.infer<typeof Rotation>

/** Of a file that ends before its content does, as its own structure says; null for a whole one. Older servers do not say it. */
export const Incomplete = z
  .object({
    expected_size: z.number().int().nullable().describe('How long it should be at least, in bytes; null: not known'),
  })
  .nullable()
  .default(null)
export type Incomplete = z.infer<typeof Incomplete>

/** One photo or video. */
export const MediaFile = z.object({
  id: Id,
  original_name: z.string(),
  file_type: FileType,
  mime_type: z.string().describe("The original's"),
  file_size: z.number().int().nonnegative().describe("The original's, in bytes"),
  uploaded_at: Moment,
  uploaded_by: Person.nullable().describe('Of a file that a guest has sent: who accepted it'),
  sent_by: z
    .string()
    .nullable()
    .default(null)
    .describe('The name that the guest gave who sent it by an upload link; null: nobody without an account'),
  folder_id: Id.nullable().describe('Null: in no folder'),
  width: z.number().int().nullable(),
  height: z.number().int().nullable(),
  rotation: z
    .object({
      saved: Rotation.describe('As somebody has saved it'),
      variants: Rotation.describe('Of `variant_urls`, `width` and `height`: `saved`, once they are made again'),
      url: Rotation.describe('Of `url`: 0 where it is the original, which is never changed, and where it is animated'),
    })
    .nullable()
    .describe('How far a photo is turned, clockwise in degrees; null where nobody has turned it'),
  duration: z.number().nullable().describe('Seconds, for videos'),
  url: z
    .string()
    .nullable()
    .describe(
      'The full-size file that a browser can show; null until it is made. While a video is converted it is the original if some browsers play that, see `playback_type`',
    ),
  download_url: z.string().describe('The original, byte for byte'),
  thumbnail_url: z.string().nullable(),
  variant_urls: VariantUrls.nullable(),
  motion_url: z
    .string()
    .nullable()
    .describe(
      "A Live Photo's or motion photo's clip, as browsers play it; null where there is none, or until it is made",
    ),
  animated: z.boolean().describe('Whether a picture moves: then `url` plays and the variants are stills'),
  first_frame_only: z
    .boolean()
    .default(false)
    .describe('The original moves, but no version of it that browsers play could be made: `url` is a still'),
  partly_damaged: z.boolean().describe('Part of this file could not be read; the pictures and `url` show what could'),
  incomplete: Incomplete.describe(
    'Its end is missing, because it was cut off before it was sent; then it is partly damaged too',
  ),
  missing: z
    .boolean()
    .default(false)
    .describe('Its original is in no watched folder any more; smaller pictures are kept'),
  playback_type: z
    .string()
    .nullable()
    .describe("The type of `url` with its codecs, for a video that some devices can't play; null where all play it"),
  compatible: z
    .object({
      url: z.string().nullable().describe('H.264 in an MP4; null until it is made'),
      progress: z.number().int().min(0).max(100).nullable().describe('While it is being made'),
      failure_reason: z.string().nullable(),
    })
    .nullable()
    .describe("The version of a video for devices that can't play `url`; null until somebody asks for it"),
  thumbhash: z.string().nullable().describe('A tiny blurred picture to show at once (base64)'),
  taken_at: z
    .string()
    .nullable()
    .describe(
      "The camera's wall clock, with its offset from UTC where the camera gave one, or as somebody has corrected it; null where no exact time is known",
    ),
  date: z
    .string()
    .nullable()
    .describe('The local time by which lists sort it: the middle of what is known of its date; null: undated'),
  edtf: z
    .string()
    .nullable()
    .describe('When it was taken, as far as it is known, in EDTF: 1985-07, 1950~, 196X, 1964/1970; null: undated'),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  location: z.string().nullable().describe('The name of the place'),
  camera: z.string().nullable(),
  caption: z.string().nullable().default(null).describe('One line of words about it; null: none'),
  status: MediaStatus,
  progress: z.number().int().min(0).max(100).nullable().describe('While it is processing'),
  failure_reason: z.string().nullable(),
  hash: z.string().describe('BLAKE3 of the original, in hex'),
})
export type MediaFile = z.infer<typeof MediaFile>

/** Where the date of a file was taken from, best first. */
export const DateSource = z.enum(['person', 'sidecar', 'metadata', 'name', 'modified', 'file'])
export type DateSource = z.infer<typeof DateSource>
/** A newer server may know others. */
const AnsweredDateSource = DateSource.nullable().catch(null)

export const MediaFileWithMetadata = MediaFile.extend({
  metadata: PhotoMetadata.nullable(),
  date_source: AnsweredDateSource.describe(
    "What `edtf` is from: a person's correction, an XMP sidecar, the file's metadata, its name, when the file itself says it was changed, or its own date; null: undated",
  ),
  date_precision: DatePrecision.nullable().describe('How much of `edtf` is known; null where that is not one of these'),
  date_correction: z
    .object({
      by: Person.nullable(),
      at: Moment,
      found: z.string().nullable(),
      found_source: AnsweredDateSource,
    })
    .nullable()
    .describe('Who corrected the date, and the one that was found without them; null: nobody'),
  doubtful_taken_at: z
    .string()
    .nullable()
    .describe(
      "What the camera's clock said where it was surely not set (from 1970, 1980 or midnight of 2000 on, or in the future)",
    ),
  place_correction: z
    .object({
      by: Person,
      at: Moment,
      camera: z
        .object({ latitude: z.number(), longitude: z.number(), location: z.string().nullable() })
        .nullable()
        .describe('Where it was taken according to the camera; null: it did not say'),
    })
    .nullable()
    .describe('Who set or cleared its place; null where it is from the camera'),
  caption_source: z
    .enum(['person', 'photo'])
    .nullable()
    .default(null)
    .catch(null)
    .describe(
      'Who wrote the caption: a person of the family, or it was in the file or its XMP sidecar. A person who has removed it counts too',
    ),
  undoable: z.array(UndoableChange).default([]).describe('What the caller has changed last, newest first'),
  motion_size: z
    .number()
    .int()
    .nullable()
    .describe('Of the clip that was uploaded beside the photo, in bytes; null where there is none'),
})
export type MediaFileWithMetadata = z.infer<typeof MediaFileWithMetadata>

export const getMedia = endpoint({
  method: 'GET',
  path: '/api/media/:id',
  summary: 'One file, with what its camera wrote into it',
  act: 'media.see',
  offline: true,
  params: IdInPath,
  answer: MediaFileWithMetadata,
})

export const requestCompatible = endpoint({
  method: 'POST',
  path: '/api/media/:id/compatible',
  summary:
    "Ask for the version of a video for devices that can't play `url`. It is made once; asking again changes nothing, unless making it failed",
  act: 'media.see',
  params: IdInPath,
  answer: MediaFile,
})

/** Routes that answer with bytes instead of JSON. A Bearer token gives access after a signed URL has expired. */
export const mediaFilePath = '/api/media/:id/file'
export const mediaThumbnailPath = '/api/media/:id/thumbnail'

export const FileName = z
  .string()
  .trim()
  .min(1, refusal('files.nameMissing'))
  .max(lengths.fileName, refusal('files.nameTooLong', { count: lengths.fileName }))

export const renameMedia = endpoint({
  method: 'PATCH',
  path: '/api/media/:id/rename',
  summary: 'Give a file another name; typed without an extension, it keeps the one it has',
  act: 'media.edit',
  params: IdInPath,
  body: z.object({
    newName: FileName.refine(isVisible, refusal('files.nameMissing')),
    expected: FileName.optional().describe(
      'For an undo: the name that is taken back. 409 if it has another by now; `newName` is taken as it is',
    ),
  }),
  answer: MediaFile,
})

export const rotateMedia = endpoint({
  method: 'PATCH',
  path: '/api/media/:id/rotation',
  summary: 'Turn a photo for everyone. The original stays as it is; its variants are made again',
  act: 'media.edit',
  params: IdInPath,
  body: z.object({
    rotation: Rotation.describe('Clockwise in degrees, from the original: 0 turns it back'),
    expected: Rotation.optional().describe(
      'For an undo: the rotation that is taken back. 409 if it has another by now',
    ),
  }),
  answer: MediaFile.extend({ change_id: changeAnswer.change_id }),
})

/** One line: line breaks become spaces. */
export const Caption = z
  .string()
  .overwrite(asName)
  .max(lengths.caption, refusal('files.captionTooLong', { count: lengths.caption }))

export const captionMedia = endpoint({
  method: 'PATCH',
  path: '/api/media/:id/caption',
  summary: 'Write one line of words about a file, or remove it',
  act: 'media.edit',
  params: IdInPath,
  body: z.object({
    caption: Caption.nullable().describe('Null, or nothing that can be seen: none'),
    expected: Caption.nullable()
      .optional()
      .describe('What the person has seen before; 409 if it has another by now, which the refusal names'),
  }),
  answer: MediaFile.extend({ change_id: changeAnswer.change_id }),
})

export const ContentHash = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{64}$/, refusal('files.hashDigits'))

export const rehashMedia = endpoint({
  method: 'PATCH',
  path: '/api/media/:id/hash',
  summary: 'Compare a freshly computed hash with the stored original, which the server reads again to see',
  act: 'media.edit',
  serializedPerPerson: true,
  params: IdInPath,
  body: z.object({ hash: ContentHash }),
  answer: MediaFile,
})

export const deleteMedia = endpoint({
  method: 'DELETE',
  path: '/api/media/:id',
  summary: 'Delete a file; it can be brought back for a while by the person who deleted it, or an admin',
  act: 'media.edit',
  params: IdInPath,
})

export const DuplicateOf = z.object({
  id: Id,
  original_name: z.string(),
  incomplete: z.boolean().default(false).describe('Its end is missing'),
})
export type DuplicateOf = z.infer<typeof DuplicateOf>

export const checkDuplicate = endpoint({
  method: 'POST',
  path: '/api/media/check-duplicate',
  summary: 'The files that have exactly these bytes',
  act: 'media.upload',
  uncounted: true,
  body: z.object({ hash: ContentHash }),
  answer: z.object({ duplicates: z.array(DuplicateOf) }),
})

const FileIds = z.array(Id).min(1, refusal('files.chooseOne'))
const atMost = (count: number) => refusal('files.tooMany', { count })

/** Of a call that changes files. */
export const ChangedFileIds = FileIds.max(bulkChanges.files, atMost(bulkChanges.files))
/** Of a call that only reads them. */
export const ReadFileIds = FileIds.max(bulkChanges.read, atMost(bulkChanges.read))

export const bulkDelete = endpoint({
  method: 'POST',
  path: '/api/folders/bulk-delete',
  summary: 'Delete many files at once',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({ fileIds: ChangedFileIds, continues: Continues }),
  answer: z.object({
    deleted: z.number().int(),
    fileIds: z.array(Id).describe('The files that this call deleted: what it takes to undo it'),
    change_id: ChangeId,
  }),
})

export const moveFiles = endpoint({
  method: 'POST',
  path: '/api/folders/move-files',
  summary: 'Move files into a folder, or out of all folders',
  act: 'media.edit',
  serializedPerPerson: true,
  body: z.object({
    fileIds: ChangedFileIds,
    folderId: Id.nullable(),
    expectedFolderId: Id.nullable().optional().describe('Moves only the files that are still there; 409 if none is'),
    continues: Continues,
  }),
  answer: z.object({
    moved: z.number().int().describe('Files that are in that folder now'),
    ...changeAnswer,
  }),
})

export const requestZip = endpoint({
  method: 'POST',
  path: '/api/media/zip',
  summary:
    'An address from which a browser fetches the originals of many files as one ZIP, without a header, for a few minutes; files already gone are left out',
  act: 'media.see',
  serializedPerPerson: true,
  body: z.object({ fileIds: ReadFileIds }),
  status: 201,
  answer: z.object({
    url: z.string(),
    file_count: z.number().int().positive(),
    size: z.number().int().nonnegative().describe('Of all the originals, in bytes'),
  }),
})

/** The download of an ordered ZIP. Answers with bytes instead of JSON. */
export const zipPath = '/zip'
