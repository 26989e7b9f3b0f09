import { createWriteStream } from 'node:fs'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { jsonBodyBytes, uploads } from '#contract/limits.ts'
import { AppError } from '../../kit/errors.ts'
import { destroyWhenStalled, readOn } from '../../kit/request-timeouts.ts'
import { newName, pathBelow, type RootFolder, type SafePath } from '../../kit/safe-path.ts'
import { createHasher } from '../../processing/hash.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'

/** A part of the form whose bytes lie in scratch, hashed on the way. */
export interface ReceivedFile {
  name: string
  path: SafePath
  size: number
  hash: string
}

export interface ReceivedForm {
  /** Texts; or what they say, where they came as JSON. */
  fields: Map<string, unknown[]>
  files: ReceivedFile[]
}

export interface ReceiveOptions {
  /** The files go here; the caller removes it. */
  folder: RootFolder
  /** Ends the reception with its reason. */
  signal: AbortSignal
  stallsAfterMs?: number
}

/** Leaves the bodies of forms unread, for `receiveForm` to stream. */
export function acceptForms(http: FastifyInstance): void {
  http.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
}

/** Streams a form into a folder. Memory stays flat whatever its size. */
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
  const limits = { parts: uploads.mostParts, fieldSize: jsonBodyBytes }
  // With its path a name is as it was sent: a photo may well be called `12\4.jpg` where that is no path.
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
        if (valueTruncated || fieldBytes > jsonBodyBytes)
          fail(new AppError('too_large', `The field ${name} is too long.`))
        else if (name in Object.prototype) fail(new AppError('malformed', `A form has no field ${name}.`))
        else addField(fields, name, value)
      })
      parser.on('partsLimit', () => fail(tooManyParts()))
      parser.on('error', fail)
      parser.on('close', resolve)
      raw.on('close', () => !raw.readableEnded && fail(new Error('The sender hung up')))
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

async function receiveFile(
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

/** A finished resumable upload needs no bytes, only the words about them: they may come as plain JSON. */
function readJsonFields(body: unknown): ReceivedForm {
  if (typeof body !== 'object' || body === null) {
    throw new AppError('malformed', 'An upload is sent as a multipart form.')
  }
  const form: ReceivedForm = { fields: new Map(), files: [] }
  for (const [name, value] of Object.entries(body)) addField(form.fields, name, value)
  return form
}

function asUploadError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code) && code !== 'ECONNRESET') return asStorageError(error)
  return new AppError('malformed', 'The upload broke off or is not a proper form. Please try again.', { cause: error })
}

function tooManyParts(): AppError {
  return new AppError('too_large', `A form has at most ${uploads.mostParts} parts.`)
}
