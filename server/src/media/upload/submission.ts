import { z } from 'zod'
import type { VariantName } from '#contract/limits.ts'
import { ContentHash, FileName } from '#contract/media.ts'
import { FileMetadata, ImageVariants, partPrefixes } from '#contract/upload.ts'
import { AppError } from '../../kit/errors.ts'
import type { ReceivedFile, ReceivedForm } from './receive.ts'

/** One photo or video to take in: what was said of it, and its parts. */
export interface Submission {
  told: FileMetadata
  claimedHash: string | null
  /** Absent where `told.uploadId` names a resumable upload instead. */
  original: ReceivedFile | undefined
  /** A version that a browser can show, where the original is not one. */
  shown: ReceivedFile | undefined
  variants: Partial<Record<VariantName, ReceivedFile>>
}

/** Which of the specification's two forms it is, and which part plays which role in it. */
export function submissionsOf(form: ReceivedForm): Submission[] {
  const imageVariants = form.fields.get('imageVariants')
  if (imageVariants) return [photo(parseJson(ImageVariants, imageVariants[0]), form)]
  const submissions = plainFiles(form)
  if (submissions.length === 0) throw new AppError('malformed', 'The upload holds no file.')
  return submissions
}

function photo(told: ImageVariants, form: ReceivedForm): Submission {
  const parts: Partial<Record<string, ReceivedFile>> = {}
  for (const file of form.files) {
    const prefix = partPrefixes.find(known => file.name.startsWith(known))
    if (!prefix) throw new AppError('malformed', `${file.name} is no part of a photo.`)
    if (parts[prefix]) throw new AppError('malformed', `The part ${prefix} came twice.`)
    parts[prefix] = file
  }
  const { thumbnail_: thumbnail, mobile_: mobile, website_: website, desktop_: desktop, full_: full } = parts
  const sentOriginal = parts.original_
  const original = sentOriginal ?? (told.uploadId ? undefined : full)
  if (!original && !told.uploadId) throw new AppError('malformed', 'The photo itself is missing.')
  const variants = Object.entries({ thumbnail, mobile, website, desktop }).filter(([, file]) => file)
  return {
    told,
    claimedHash: told.hash ?? null,
    original,
    shown: original === full ? undefined : full,
    variants: Object.fromEntries(variants),
  }
}

function plainFiles(form: ReceivedForm): Submission[] {
  const told = listField(form, 'fileMetadata', FileMetadata)
  const hashes = listField(form, 'hashes', ContentHash.nullable())
  const originals = new Map<string, ReceivedFile>()
  const files = form.files.filter(file => {
    const wanted = told.some(({ originalName }) => file.name === `original_${originalName}`)
    if (wanted) originals.set(file.name.slice('original_'.length), file)
    return !wanted
  })
  const count = Math.max(files.length, told.length)
  return Array.from({ length: count }, (_, i) => {
    const file = files[i]
    const about = told[i] ?? { originalName: parseName(file?.name) }
    const claimedHash = about.hash ?? hashes[i] ?? null
    const original = originals.get(about.originalName)
    if (original) return { told: about, claimedHash, original, shown: file, variants: {} }
    if (about.uploadId) return { told: about, claimedHash, original: undefined, shown: file, variants: {} }
    if (!file) throw new AppError('malformed', `The bytes of ${about.originalName} are missing.`)
    return { told: about, claimedHash, original: file, shown: undefined, variants: {} }
  })
}

/** A field may hold one value, come several times, or hold a list. */
function listField<Schema extends z.ZodType>(form: ReceivedForm, name: string, schema: Schema): z.output<Schema>[] {
  return (form.fields.get(name) ?? []).flatMap(text => {
    const value = looksLikeJson(text) ? readJson(text) : text
    return (Array.isArray(value) ? value : [value]).map(item => parseWith(schema, item))
  })
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{"]|^null$/.test(text)
}

function parseJson<Schema extends z.ZodType>(schema: Schema, text: string | undefined): z.output<Schema> {
  return parseWith(schema, readJson(text ?? ''))
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('malformed', 'What is said about the file is not proper JSON.', { cause })
  }
}

function parseWith<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new AppError('invalid', `What is said about the file is not right: ${z.prettifyError(result.error)}`)
}

function parseName(name: string | undefined): string {
  return FileName.catch('file').parse(name)
}
