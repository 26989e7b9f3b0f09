import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { uploadMedia } from '#contract/upload.ts'
import { makePicture } from '../fixtures/pictures.ts'
import { newServerData, type ServerProcess, startServer } from './server-process.ts'

const MEGABYTE = 1024 * 1024
const MEGABYTES = 4_096

/** Uploads a photo with this much appended, as fast as the server accepts it. */
async function uploadLarge(server: ServerProcess, token: string, megabytes: number): Promise<number | undefined> {
  const head = '--b\r\ncontent-disposition: form-data; name="files"; filename="large.jpg"\r\n\r\n'
  const end = '\r\n--b--\r\n'
  const photo = await makePicture()
  const upload = request(new URL(uploadMedia.path, server.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + photo.length + megabytes * MEGABYTE + end.length,
    },
  })
  const answered = once(upload, 'response')
  upload.write(head)
  upload.write(photo)
  const zeros = Buffer.alloc(MEGABYTE)
  for (let sent = 0; sent < megabytes; sent++) if (!upload.write(zeros)) await once(upload, 'drain')
  upload.end(end)
  const [response] = await answered
  response.resume()
  return response.statusCode
}

test.runIf(process.env.LONG)(
  `an upload of ${MEGABYTES} MB needs no more memory than a small one`,
  async () => {
    const serverData = await newServerData('sqlite')
    const server = await startServer(serverData)
    // Warm-up: the first uploads load modules.
    for (let i = 0; i < 3; i++) expect(await uploadLarge(server, serverData.token, 64 + i)).toBe(201)
    const before = await server.residentMb()
    let most = before
    const watch = setInterval(async () => {
      most = Math.max(most, await server.residentMb())
    }, 50)
    try {
      expect(await uploadLarge(server, serverData.token, MEGABYTES)).toBe(201)
    } finally {
      clearInterval(watch)
    }
    // A server that buffered whole bodies would need far more.
    expect(most - before).toBeLessThan(64)
    await server.stop()
  },
  600_000,
)
