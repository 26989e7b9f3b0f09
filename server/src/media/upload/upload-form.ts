import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { uploads, type VariantName } from '#contract/limits.ts'
import { ContentHash, FileName } from '#contract/media.ts'
import { FileMetadata, ImageVariants, nameInForm, partPrefixes } from '#contract/upload.ts'
import { AppError } from '../../kit/errors.ts'
import { isTooDeep } from '../../kit/http.ts'
import { parseValue } from '../../kit/input.ts'
import { destroyWhenStalled, readOn } from '../../kit/request-timeouts.ts'
import { newName, pathBelow, type RootFolder, type SafePath } from '../../kit/safe-path.ts'
import { createHasher } from '../../processing/hash.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'

/** A file in scratch, hashed while it was received. */
export interface ReceivedFile {
  name: string
  path: SafePath
  size: number
  hash: string
}

export interface ReceivedForm {
  /** Strings from a form, or any values from a JSON body. */
  fields: Map<string, unknown[]>
  files: ReceivedFile[]
}

export interface ReceiveOptions {
  /** Receives the files; the caller removes it. */
  folder: RootFolder
  signal: AbortSignal
  stallsAfterMs?: number
}

/** Makes Fastify leave multipart bodies to `receiveForm`, which streams them. */
export function acceptForms(http: FastifyInstance): void {
  http.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
}

/** Streams a form into a folder, in constant memory. */
export async function receiveForm(request: FastifyRequest, reception: ReceiveOptions): Promise<ReceivedForm> {
  if (!request.headers['content-type']?.toLowerCase().startsWith('multipart/form-data')) {
    return readJsonFields(request.body)
  }
  destroyWhenStalled(request.raw, reception.stallsAfterMs ?? uploads.stallsAfter)
  try {
    return await receiveParts(request, reception)
  } catch (error) {
    readOn(request.raw)
    reception.signal.throwIfAborted()
    throw asUploadError(error)
  }
}

async function receiveParts(
  { raw, headers }: FastifyRequest,
  { folder, signal }: ReceiveOptions,
): Promise<ReceivedForm> {
  const fields: ReceivedForm['fields'] = new Map()
  let fieldBytes = 0
  const files: Promise<ReceivedFile>[] = []
  const limits = { parts: uploads.mostParts, fieldSize: uploads.formTextBytes }
  // Otherwise busboy would cut names at backslashes, but on a Mac `12\4.jpg` is a valid file name.
  const parser = busboy({ headers, limits, preservePath: true, defParamCharset: 'utf8' })
  const broken = new AbortController()
  try {
    signal.throwIfAborted()
    await new Promise<void>((resolve, fail) => {
      parser.on('file', (_name, source, { filename }) => {
        const received = receiveFile(source, filename ?? '', folder, AbortSignal.any([signal, broken.signal]))
        received.catch(fail)
        files.push(received)
      })
      parser.on('field', (name, value, { valueTruncated }) => {
        fieldBytes += value.length
        if (valueTruncated || fieldBytes > uploads.formTextBytes)
          fail(new AppError('too_large', 'upload.fieldTooLong', { field: name }))
        else if (name in Object.prototype) fail(new AppError('malformed', 'upload.unknownField', { field: name }))
        else addField(fields, name, value)
      })
      parser.on('partsLimit', () => fail(tooManyParts()))
      parser.on('error', fail)
      parser.on('close', resolve)
      raw.on('close', () => !raw.readableEnded && fail(new Error('The client closed the connection')))
      signal.addEventListener('abort', () => fail(signal.reason))
      raw.pipe(parser)
    })
    return { fields, files: await Promise.all(files) }
  } catch (error) {
    raw.unpipe(parser)
    broken.abort()
    parser.destroy()
    throw error
  } finally {
    await Promise.allSettled(files)
  }
}

export async function receiveFile(
  source: Readable,
  name: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<ReceivedFile> {
  const path = pathBelow(folder, newName())
  const hasher = createHasher()
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hasher.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  const sink = createWriteStream(path, { flags: 'wx', highWaterMark: 1024 * 1024 })
  await pipeline(source, measure, sink, { signal })
  return { name, path, size, hash: hasher.digest() }
}

function addField(fields: ReceivedForm['fields'], name: string, value: unknown): void {
  fields.set(name, [...(fields.get(name) ?? []), value])
}

/** If all bytes were sent by resumable uploads, the metadata may be sent as plain JSON. */
function readJsonFields(body: unknown): ReceivedForm {
  if (typeof body !== 'object' || body === null) {
    throw new AppError('malformed', 'upload.noForm')
  }
  const form: ReceivedForm = { fields: new Map(), files: [] }
  for (const [name, value] of Object.entries(body)) addField(form.fields, name, value)
  return form
}

export function asUploadError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return asStorageError(error)
  return new AppError('malformed', 'upload.brokeOff', { cause: error })
}

function tooManyParts(): AppError {
  return new AppError('too_large', 'upload.manyParts', { count: uploads.mostParts })
}

/** One photo or video of the request: its metadata and its parts. */
export interface Submission {
  metadata: FileMetadata
  claimedHash: string | null
  /** Undefined if and only if `metadata.uploadId` names a resumable upload. */
  original: ReceivedFile | undefined
  /** The client's conversion for browsers, unless `metadata.convertedUploadId` names it. */
  converted: ReceivedFile | undefined
  variants: Partial<Record<VariantName, ReceivedFile>>
  /** A Live Photo's clip, unless `metadata.motionUploadId` names it. */
  clip: ReceivedFile | undefined
}

/** Interprets the form, which has one of two layouts: a photo with its variants, or plain files. */
export function submissionsOf(form: ReceivedForm): Submission[] {
  const imageVariants = form.fields.get('imageVariants')
  const submissions = imageVariants ? [photoSubmission(readJson(imageVariants[0]), form)] : plainSubmissions(form)
  if (submissions.length === 0) throw new AppError('malformed', 'upload.noFile')
  for (const submission of submissions) refuseDuplicateParts(submission)
  return submissions
}

function photoSubmission(words: unknown, form: ReceivedForm): Submission {
  const metadata = parseValue(ImageVariants, words)
  const parts: Partial<Record<string, ReceivedFile>> = {}
  for (const file of form.files) {
    const prefix = partPrefixes.find(known => file.name.startsWith(known))
    if (!prefix) throw new AppError('malformed', 'upload.notAPart', { name: file.name })
    if (parts[prefix]) throw new AppError('malformed', 'upload.partTwice', { part: prefix })
    parts[prefix] = file
  }
  const { thumbnail_: thumbnail, mobile_: mobile, website_: website, desktop_: desktop, full_: full } = parts
  // The request also names a resumable upload for `full_`: one of them would be ignored.
  if (full && metadata.convertedUploadId) throw duplicatePart(metadata)
  const original = parts.original_ ?? (metadata.uploadId ? undefined : full)
  if (!original && !metadata.uploadId) throw new AppError('malformed', 'upload.photoMissing')
  const variants = Object.entries({ thumbnail, mobile, website, desktop }).filter(([, file]) => file)
  return {
    metadata,
    claimedHash: metadata.hash ?? null,
    original,
    converted: original === full ? undefined : full,
    variants: Object.fromEntries(variants),
    clip: parts.motion_,
  }
}

function plainSubmissions(form: ReceivedForm): Submission[] {
  const metadata = listField(form, 'fileMetadata', FileMetadata)
  const hashes = listField(form, 'hashes', ContentHash.nullable())
  const originals = partsWithPrefix(form, metadata, 'original_')
  const clips = partsWithPrefix(form, metadata, 'motion_')
  const beside = new Set([...originals.values(), ...clips.values()])
  const files = form.files.filter(file => !beside.has(file))
  const count = Math.max(files.length, metadata.length)
  return Array.from({ length: count }, (_, i) => {
    const file = files[i]
    const about = metadata[i] ?? { originalName: nameOf(file) }
    const claimedHash = about.hash ?? hashes[i] ?? null
    const original = originals.get(about.originalName)
    const submission = { metadata: about, claimedHash, variants: {}, clip: clips.get(about.originalName) }
    if (original || about.uploadId) return { ...submission, original, converted: file }
    if (!file) throw new AppError('malformed', 'upload.bytesMissing', { name: about.originalName })
    return { ...submission, original: file, converted: undefined }
  })
}

/** Parts that belong to another file of the form, by that file's name. */
function partsWithPrefix(
  form: ReceivedForm,
  metadata: FileMetadata[],
  prefix: (typeof partPrefixes)[number],
): Map<string, ReceivedFile> {
  const wanted = new Map(metadata.map(({ originalName }) => [`${prefix}${asSent(originalName)}`, originalName]))
  const parts = new Map<string, ReceivedFile>()
  for (const file of form.files) {
    const originalName = wanted.get(asSent(file.name))
    if (originalName === undefined) continue
    const claimants = metadata.filter(entry => entry.originalName === originalName).length
    if (parts.has(originalName) || claimants > 1) {
      throw new AppError('malformed', 'upload.partOfWhich', { name: originalName })
    }
    parts.set(originalName, file)
  }
  return parts
}

/** A part is either in the form or in a resumable upload. If both are given, one would be ignored. */
function refuseDuplicateParts({ metadata, original, converted: shown, clip }: Submission): void {
  if ((original && metadata.uploadId) || (shown && metadata.convertedUploadId) || (clip && metadata.motionUploadId)) {
    throw duplicatePart(metadata)
  }
}

function duplicatePart({ originalName }: FileMetadata): AppError {
  return new AppError('malformed', 'upload.partOfTwice', { name: originalName })
}

/** Browsers escape these three characters in the file names of a form. */
function asSent(name: string): string {
  return nameInForm(name).replace(/["\r\n]/g, encodeURIComponent)
}

/** A field may contain one value, be repeated, or contain a JSON list. */
function listField<Schema extends z.ZodType>(form: ReceivedForm, name: string, schema: Schema): z.output<Schema>[] {
  const items = (form.fields.get(name) ?? []).flatMap(field => {
    const value = looksLikeJson(field) ? readJson(field) : field
    return Array.isArray(value) ? value : [value]
  })
  // Before parsing them: a field can contain a million.
  if (items.length > uploads.mostParts) {
    throw new AppError('too_large', 'upload.manyFiles', { count: uploads.mostParts })
  }
  return items.map(item => parseValue(schema, item))
}

function looksLikeJson(field: unknown): boolean {
  return typeof field === 'string' && /^\s*[[{"]|^null$/.test(field)
}

function readJson(field: unknown): unknown {
  if (typeof field !== 'string') return field
  if (isTooDeep(field)) throw new AppError('malformed', 'upload.notJson')
  try {
    return JSON.parse(field)
  } catch (cause) {
    throw new AppError('malformed', 'upload.notJson', { cause })
  }
}

/** For a file without metadata: the last part of its path. */
function nameOf(file: ReceivedFile | undefined): string {
  return parseValue(FileName, file?.name.split(/[/\\]/).at(-1) || 'file')
}
