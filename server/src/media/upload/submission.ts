import type { z } from 'zod'
import { uploads, type VariantName } from '#contract/limits.ts'
import { ContentHash, FileName } from '#contract/media.ts'
import { FileMetadata, ImageVariants, nameInForm, partPrefixes } from '#contract/upload.ts'
import { AppError } from '../../kit/errors.ts'
import { isTooDeep } from '../../kit/http.ts'
import { parseValue } from '../../kit/input.ts'
import type { ReceivedFile, ReceivedForm } from './receive.ts'

/** One photo or video to take in: what was said of it, and its parts. */
export interface Submission {
  metadata: FileMetadata
  claimedHash: string | null
  /** Absent where `told.uploadId` names a resumable upload instead, and only there. */
  original: ReceivedFile | undefined
  /** A version that a browser can show, where the original is not one; or `told.convertedUploadId` names it. */
  converted: ReceivedFile | undefined
  variants: Partial<Record<VariantName, ReceivedFile>>
  /** A Live Photo's clip; or `told.motionUploadId` names it. */
  clip: ReceivedFile | undefined
}

/** Which of the specification's two forms it is, and which part plays which role in it. */
export function submissionsOf(form: ReceivedForm): Submission[] {
  const imageVariants = form.fields.get('imageVariants')
  const submissions = imageVariants ? [photoSubmission(readJson(imageVariants[0]), form)] : plainSubmissions(form)
  if (submissions.length === 0) throw new AppError('malformed', 'The upload holds no file.')
  for (const submission of submissions) refuseDuplicateParts(submission)
  return submissions
}

function photoSubmission(words: unknown, form: ReceivedForm): Submission {
  const told = parseValue(ImageVariants, words)
  const parts: Partial<Record<string, ReceivedFile>> = {}
  for (const file of form.files) {
    const prefix = partPrefixes.find(known => file.name.startsWith(known))
    if (!prefix) throw new AppError('malformed', `${file.name} is no part of a photo.`)
    if (parts[prefix]) throw new AppError('malformed', `The part ${prefix} came twice.`)
    parts[prefix] = file
  }
  const { thumbnail_: thumbnail, mobile_: mobile, website_: website, desktop_: desktop, full_: full } = parts
  // Beside the id of a `full_` that went ahead, another one can be nothing but a mistake.
  if (full && told.convertedUploadId) throw duplicatePart(told)
  const original = parts.original_ ?? (told.uploadId ? undefined : full)
  if (!original && !told.uploadId) throw new AppError('malformed', 'The photo itself is missing.')
  const variants = Object.entries({ thumbnail, mobile, website, desktop }).filter(([, file]) => file)
  return {
    metadata: told,
    claimedHash: told.hash ?? null,
    original,
    converted: original === full ? undefined : full,
    variants: Object.fromEntries(variants),
    clip: parts.motion_,
  }
}

function plainSubmissions(form: ReceivedForm): Submission[] {
  const told = listField(form, 'fileMetadata', FileMetadata)
  const hashes = listField(form, 'hashes', ContentHash.nullable())
  const originals = partsBeside(form, told, 'original_')
  const clips = partsBeside(form, told, 'motion_')
  const beside = new Set([...originals.values(), ...clips.values()])
  const files = form.files.filter(file => !beside.has(file))
  const count = Math.max(files.length, told.length)
  return Array.from({ length: count }, (_, i) => {
    const file = files[i]
    const about = told[i] ?? { originalName: nameOf(file) }
    const claimedHash = about.hash ?? hashes[i] ?? null
    const original = originals.get(about.originalName)
    const submission = { metadata: about, claimedHash, variants: {}, clip: clips.get(about.originalName) }
    if (original || about.uploadId) return { ...submission, original, converted: file }
    if (!file) throw new AppError('malformed', `The bytes of ${about.originalName} are missing.`)
    return { ...submission, original: file, converted: undefined }
  })
}

/** Parts that belong to a file of the form, by its name. */
function partsBeside(
  form: ReceivedForm,
  told: FileMetadata[],
  prefix: (typeof partPrefixes)[number],
): Map<string, ReceivedFile> {
  const wanted = new Map(told.map(({ originalName }) => [`${prefix}${asSent(originalName)}`, originalName]))
  const parts = new Map<string, ReceivedFile>()
  for (const file of form.files) {
    const originalName = wanted.get(asSent(file.name))
    if (originalName === undefined) continue
    const claimants = told.filter(about => about.originalName === originalName).length
    if (parts.has(originalName) || claimants > 1) {
      throw new AppError('malformed', `It is not clear which ${originalName} a part belongs to.`)
    }
    parts.set(originalName, file)
  }
  return parts
}

/** A part comes with the form or is named by its upload. Where both were given, one would be thrown away unread. */
function refuseDuplicateParts({ metadata: told, original, converted: shown, clip }: Submission): void {
  if ((original && told.uploadId) || (shown && told.convertedUploadId) || (clip && told.motionUploadId)) {
    throw duplicatePart(told)
  }
}

function duplicatePart({ originalName }: FileMetadata): AppError {
  return new AppError('malformed', `A part of ${originalName} came twice.`)
}

/** Browsers write these three in another way where a form names its files. */
function asSent(name: string): string {
  return nameInForm(name).replace(/["\r\n]/g, encodeURIComponent)
}

/** A field may hold one value, come several times, or hold a list. */
function listField<Schema extends z.ZodType>(form: ReceivedForm, name: string, schema: Schema): z.output<Schema>[] {
  const items = (form.fields.get(name) ?? []).flatMap(field => {
    const value = looksLikeJson(field) ? readJson(field) : field
    return Array.isArray(value) ? value : [value]
  })
  // Before any of them is looked at: a field can hold a million.
  if (items.length > uploads.mostParts) {
    throw new AppError('too_large', `An upload holds at most ${uploads.mostParts} files.`)
  }
  return items.map(item => parseValue(schema, item))
}

function looksLikeJson(field: unknown): boolean {
  return typeof field === 'string' && /^\s*[[{"]|^null$/.test(field)
}

function readJson(field: unknown): unknown {
  if (typeof field !== 'string') return field
  if (isTooDeep(field)) throw new AppError('malformed', 'What is said about the file is not proper JSON.')
  try {
    return JSON.parse(field)
  } catch (cause) {
    throw new AppError('malformed', 'What is said about the file is not proper JSON.', { cause })
  }
}

/** What a file is called of which nothing is said: the last part of its path. */
function nameOf(file: ReceivedFile | undefined): string {
  return parseValue(FileName, file?.name.split(/[/\\]/).at(-1) || 'file')
}
