import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type {} from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { jsonBodyBytes, uploads } from '#contract/limits.ts'
import { AppError } from '../../kit/errors.ts'
import { createHasher } from '../../processing/hash.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'

/** A part of the form whose bytes lie in scratch, hashed on the way. */
export interface ReceivedFile {
  name: string
  path: string
  size: number
  hash: string
}

export interface ReceivedForm {
  fields: Map<string, string[]>
  files: ReceivedFile[]
}

/** Streams a form into `folder`. Memory stays flat whatever its size; the caller removes the folder. */
export async function receiveForm(request: FastifyRequest, folder: string): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: new Map(), files: [] }
  if (!request.isMultipart()) {
    addJsonFields(form, request.body)
    return form
  }
  const limits = { parts: uploads.mostParts, fieldSize: jsonBodyBytes, fileSize: Number.POSITIVE_INFINITY }
  try {
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') form.files.push(await receiveFile(part.file, part.filename, folder))
      else addField(form, part.fieldname, part.value)
    }
  } catch (error) {
    throw asUploadError(error)
  }
  return form
}

async function receiveFile(source: Readable, name: string, folder: string): Promise<ReceivedFile> {
  const path = join(folder, randomUUID())
  const hasher = createHasher()
  let size = 0
  const stall = stallGuard(source)
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      stall.heard()
      hasher.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  try {
    await pipeline(source, measure, createWriteStream(path, { flags: 'wx', highWaterMark: 1024 * 1024 }))
  } finally {
    stall.end()
  }
  return { name, path, size, hash: hasher.digest() }
}

/** A slow sender is welcome; one from whom nothing comes any more is cut off. */
function stallGuard(source: Readable) {
  const timer = setTimeout(
    () => source.destroy(new AppError('malformed', 'The upload stopped half-way. Please try again.')),
    uploads.stallsAfter,
  )
  return { heard: () => timer.refresh(), end: () => clearTimeout(timer) }
}

function addField(form: ReceivedForm, name: string, value: unknown): void {
  const known = form.fields.get(name) ?? []
  form.fields.set(name, [...known, String(value)])
}

/** A finished resumable upload needs no bytes, only the words about them: they may come as plain JSON. */
function addJsonFields(form: ReceivedForm, body: unknown): void {
  if (typeof body !== 'object' || body === null) {
    throw new AppError('malformed', 'An upload is sent as a multipart form.')
  }
  for (const [name, value] of Object.entries(body)) addField(form, name, JSON.stringify(value))
}

function asUploadError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code } = error as { code?: unknown }
  if (code === 'FST_PARTS_LIMIT' || code === 'FST_FILES_LIMIT' || code === 'FST_FIELDS_LIMIT') {
    return new AppError('too_large', `A form has at most ${uploads.mostParts} parts.`, { cause: error })
  }
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return asStorageError(error)
  return new AppError('malformed', 'The upload broke off or is not a proper form. Please try again.', { cause: error })
}
