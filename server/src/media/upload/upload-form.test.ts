import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../kit/errors.ts'
import { rootFolder } from '../../kit/safe-path.ts'
import { acceptForms, type ReceivedForm, type ReceiveOptions, receiveForm } from './upload-form.ts'

const STALL_MS = 300
const soon = { timeout: 10_000 }

let app: FastifyInstance
let folder: string
let reception: Omit<ReceiveOptions, 'folder'>
/** The result of each form, in order. */
let outcomes: Promise<ReceivedForm | AppError>[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heirloom-receive-'))
  reception = { signal: new AbortController().signal, stallsAfterMs: STALL_MS }
  outcomes = []
  app = Fastify({ bodyLimit: 1_000_000 })
  acceptForms(app)
  app.post('/form', async (request, reply) => {
    const receiving = receiveForm(request, { ...reception, folder: rootFolder(folder) })
    outcomes.push(receiving.catch(error => error))
    const outcome = await receiving.catch(error => error)
    return outcome instanceof AppError ? reply.code(outcome.status).send({ code: outcome.code }) : { ok: true }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Opens a connection and sends the head of a form with one file; the test sends the rest. */
async function begin(length: number): Promise<Socket> {
  const address = app.server.address()
  if (!address || typeof address === 'string') throw new Error('The server listens on a port')
  const socket = connect(address.port, '127.0.0.1').on('error', () => undefined)
  socket.write(
    `POST /form HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n`,
  )
  return socket
}

const FILE_HEAD = '--b\r\ncontent-disposition: form-data; name="files"; filename="a.jpg"\r\n\r\n'
const END = '\r\n--b--\r\n'

async function form(body: string | Buffer, boundary = 'b'): Promise<ReceivedForm | AppError> {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  await app.inject({ method: 'POST', url: '/form', headers, payload: body })
  const outcome = await outcomes.at(-1)
  if (!outcome) throw new Error('No form was received')
  return outcome
}

function closed(socket: Socket): Promise<boolean> {
  return new Promise(resolve => socket.once('close', () => resolve(true)))
}

describe('a sender', () => {
  test('that is slow, but never silent for long, is heard to the end', async () => {
    reception = { ...reception, stallsAfterMs: 1_500 }
    const body = FILE_HEAD + 'x'.repeat(20) + END
    const socket = await begin(body.length)
    for (let at = 0; at < body.length; at += 25) {
      socket.write(body.slice(at, at + 25))
      await wait(500)
    }
    await expect.poll(() => outcomes.length, soon).toBe(1)
    expect(await outcomes[0]).toMatchObject({ files: [{ name: 'a.jpg', size: 20 }] })
    socket.destroy()
  })

  test.each([
    ['before the first part', ''],
    ['in the name of a part', FILE_HEAD.slice(0, 20)],
    ['in the midst of a file', `${FILE_HEAD}half a phot`],
    ['between two parts', `${FILE_HEAD}a whole photo\r\n--b`],
    ['in the words about it', '--b\r\ncontent-disposition: form-data; name="fileMetadata"\r\n\r\n{"original'],
  ])('that falls silent %s is cut off', async (_, sent) => {
    const socket = await begin(10_000)
    socket.write(sent)
    const ended = closed(socket)
    await expect.poll(() => outcomes.length, soon).toBe(1)
    expect(await outcomes[0]).toMatchObject({ code: 'malformed', status: 400 })
    expect(await ended).toBe(true)
  })

  test('that hangs up in the midst of a file ends the reception at once', async () => {
    reception = { ...reception, stallsAfterMs: 60_000 }
    const socket = await begin(10_000)
    socket.write(`${FILE_HEAD}half a phot`)
    await expect.poll(() => readdir(folder), soon).toHaveLength(1)
    socket.destroy()
    expect(await outcomes[0]).toMatchObject({ code: 'malformed' })
  })

  test('whose session ends is refused in the middle of a file, and the rest is discarded', async () => {
    const ended = new AbortController()
    reception = { signal: ended.signal, stallsAfterMs: 60_000 }
    const body = FILE_HEAD + 'x'.repeat(3_000_000) + END
    const socket = await begin(body.length)
    socket.write(body.slice(0, 500_000))
    await expect.poll(() => readdir(folder), soon).toHaveLength(1)
    ended.abort(new AppError('not_signed_in', 'auth.signIn'))
    expect(await outcomes[0]).toMatchObject({ code: 'not_signed_in' })
    const answer = new Promise<string>(resolve => socket.once('data', data => resolve(String(data))))
    socket.write(body.slice(500_000))
    expect(await answer).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  })
})

describe('a form', () => {
  const part = (headers: string, content = 'hello') => `--b\r\n${headers}\r\n\r\n${content}`

  test('gives the bytes of its files as they were sent, with their hash', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256))
    const received = await form(Buffer.concat([Buffer.from(FILE_HEAD), bytes, Buffer.from(END)]))
    expect(received).toMatchObject({ files: [{ size: 70_000, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }] })
    const [name = ''] = await readdir(folder)
    expect(await readFile(join(folder, name))).toEqual(bytes)
  })

  test('may hold a file that has no name', async () => {
    const body = part('content-disposition: form-data; name="files"\r\ncontent-type: application/octet-stream')
    expect(await form(body + END)).toMatchObject({ files: [{ name: '', size: 5 }] })
  })

  test('may name its files in the other way', async () => {
    const body = part(`content-disposition: form-data; name="files"; filename*=UTF-8''%E6%9D%B1%E4%BA%AC.jpg`)
    expect(await form(body + END)).toMatchObject({ files: [{ name: '東京.jpg' }] })
  })

  test('within a form is but the bytes of a file', async () => {
    const inner = '--inner\r\ncontent-disposition: form-data; name="files"; filename="b.jpg"\r\n\r\nx\r\n--inner--'
    const body = part(
      'content-disposition: form-data; name="files"; filename="a.jpg"\r\ncontent-type: multipart/mixed; boundary=inner',
      inner,
    )
    expect(await form(body + END)).toMatchObject({ files: [{ name: 'a.jpg', size: inner.length }] })
  })

  test.each([
    ['without a name for its part', part('content-disposition: form-data') + END],
    ['without headers for its part', `--b\r\n\r\nhello${END}`],
    ['with headers that never end', `--b\r\n${'x: y\r\n'.repeat(50_000)}`],
    ['with one endless header', `--b\r\nx: ${'y'.repeat(500_000)}`],
    ['that never ends', FILE_HEAD],
    ['whose boundary is another', FILE_HEAD.replace('--b', '--c')],
    ['of line breaks', '\r\n'.repeat(50_000)],
    ['of boundaries', '--b\r\n'.repeat(5_000)],
    ['of dashes', '-'.repeat(100_000)],
  ])('%s gives a clear answer, or nothing', async (_, body) => {
    const received = await form(body)
    if (received instanceof AppError) expect(received.status).toBeLessThan(500)
    else expect(received.files).toEqual([])
  })

  test('with a word of more than a megabyte is too large', async () => {
    const body = part('content-disposition: form-data; name="fileMetadata"', 'x'.repeat(1_000_001))
    expect(await form(body + END)).toMatchObject({ code: 'too_large' })
  })
})
