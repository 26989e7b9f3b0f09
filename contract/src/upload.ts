import { z } from 'zod'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'
import { ContentHash, DuplicateOf, FileName, MediaFile } from './media.ts'
import { PhotoMetadata } from './metadata.ts'

/** The exact format of a resumable upload's id: its owner's id and a UUID (version 4), as the server formats them. */
export const uploadIdShape = /^[1-9][0-9]{0,15}-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Not validated here: an id in another format gets 404, like any upload that does not exist. */
const UploadIdText = z.string().meta({ pattern: uploadIdShape.source })

/** The metadata that a client sends with a file. */
const CommonFields = z.object({
  originalName: FileName,
  hash: ContentHash.nullish().describe('Refused when the bytes that arrive have another'),
  metadata: PhotoMetadata.nullish(),
  folderId: Id.nullish(),
  lastModified: z.number().int().nullish().describe("The file's own date, in epoch milliseconds"),
  uploadId: UploadIdText.optional().describe('A finished resumable upload that contains the original'),
  convertedUploadId: UploadIdText.optional().describe(
    'A finished resumable upload of the converted MP4, or of a photo in place of the part `full_`',
  ),
  motionUploadId: UploadIdText.optional().describe(
    "A finished resumable upload of a Live Photo's clip, in place of the part `motion_`",
  ),
  motionName: FileName.optional().describe('What the clip is called, where it turns out not to belong to the photo'),
  motionLastModified: z.number().int().nullish().describe("The clip's own date, in epoch milliseconds"),
})

export const ImageVariants = CommonFields.extend({
  variants: z
    .array(
      z.object({
        type: z.enum(['thumbnail', 'mobile', 'website', 'desktop', 'full']),
        width: z.number().int().positive(),
        height: z.number().int().positive(),
      }),
    )
    .max(5)
    .default([]),
})
export type ImageVariants = z.infer<typeof ImageVariants>

export const FileMetadata = CommonFields
export type FileMetadata = z.infer<typeof FileMetadata>

export const uploadMedia = endpoint({
  method: 'POST',
  path: '/api/media/upload',
  summary:
    'Upload a photo with its variants (`files`, `imageVariants`) or any file (`files`, `hashes`, `fileMetadata`), as multipart form data',
  act: 'media.upload',
  uncounted: true,
  status: 201,
  answer: z.object({
    files: z.array(MediaFile),
    duplicates: z.array(DuplicateOf),
    separate_clips: z
      .array(Id)
      .optional()
      .describe('Clips that are not the moving part of their photo, and so became files of their own; among the above'),
  }),
})

/**
 * Prefixes of part names in the multipart form; each is followed by the original name, or, for a Live Photo's clip
 * (`motion_`), by the name of its still.
 */
export const partPrefixes = ['thumbnail_', 'mobile_', 'website_', 'desktop_', 'full_', 'original_', 'motion_'] as const

/**
 * The name to use in a part's header of the multipart form. Control characters are not allowed in headers (browsers
 * escape line breaks themselves); the real name is sent in the metadata of the file.
 */
export function nameInForm(name: string): string {
  return name.replace(/[^\P{Cc}\r\n]/gu, '_')
}

/** The endpoint of resumable uploads (tus). */
export const resumableUploadsPath = '/api/uploads'
