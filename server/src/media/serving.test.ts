import { expect, test } from 'vitest'
import { getMedia, type MediaFile } from '#contract/media.ts'
import { fetchFrom } from '../../test/fixtures/addresses.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../test/fixtures/pictures.ts'
import { photoForm, send, uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onOneEngine } from '../../test/library.ts'

const HOUR = 3_600_000

async function readyPhoto(library: Library, name: string): Promise<{ file: MediaFile; bytes: Buffer }> {
  const bytes = await makePicture({ width: 400, height: 300 })
  const { files } = await send(await memberOf(library), photoForm(name, bytes, await makeClientPictures(bytes)))
  if (!files[0]) throw new Error('The photo was not taken in')
  return { file: files[0], bytes }
}

onOneEngine('the address of a file', library => {
  test('is the same within its window, and another after it', async () => {
    const ben = await memberOf(library())
    const { file } = await readyPhoto(library(), 'stable.jpg')
    const urls = async () => {
      const { url, thumbnail_url, download_url } = await ben.call(getMedia, { params: { id: file.id } })
      return [url, thumbnail_url, download_url]
    }
    const before = await urls()
    expect(await urls()).toEqual(before)
    library().pass(HOUR)
    for (const [i, url] of (await urls()).entries()) expect(url).not.toBe(before[i])
  })

  test('opens nothing when it has been tampered with, has run out, or lacks its signature', async () => {
    const [first, second] = [await readyPhoto(library(), 'first.jpg'), await readyPhoto(library(), 'second.jpg')]
    const status = async (url: string) => (await library().anyone.fetch(url)).status
    const url = first.file.url ?? ''
    expect(await status(url)).toBe(200)
    const [path = '', query = ''] = url.split('?')
    const [otherPath = ''] = (second.file.url ?? '').split('?')
    expect(await status(path)).toBe(403)
    expect(await status(`${otherPath}?${query}`)).toBe(403)
    expect(await status(url.replace(/sig=./, match => (match === 'sig=A' ? 'sig=B' : 'sig=A')))).toBe(403)
    expect(await status(url.replace(/exp=(\d)/, 'exp=9$1'))).toBe(403)
    expect(await status(`${url}&download=other.jpg`)).toBe(403)
    expect(await status(first.file.download_url.replace('first.jpg', 'second.jpg'))).toBe(403)
    expect(await status(`${path}/../../../heirloom.db?${query}`)).toBeGreaterThanOrEqual(400)
    library().pass(2 * HOUR)
    expect(await status(url)).toBe(403)
  })

  test('gives the parts of a file that are asked for', async () => {
    const { file, bytes } = await readyPhoto(library(), 'ranges.jpg')
    const ask = (range: string) => library().anyone.fetch(file.url ?? '/files/none', { headers: { range } })
    const some = await ask('bytes=10-19')
    expect([some.status, some.headers.get('content-range')]).toEqual([206, `bytes 10-19/${bytes.length}`])
    expect(Buffer.from(await some.arrayBuffer())).toEqual(bytes.subarray(10, 20))
    const end = await ask('bytes=-5')
    expect(Buffer.from(await end.arrayBuffer())).toEqual(bytes.subarray(-5))
    expect((await ask(`bytes=${bytes.length}-`)).status).toBe(416)
    const etag = (await ask('bytes=0-0')).headers.get('etag') ?? ''
    const again = await library().anyone.fetch(file.url ?? '', { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  test('saves the original under the name that the family gave it', async () => {
    const { file } = await readyPhoto(library(), 'Großmutter "92".jpg')
    const saved = await library().anyone.fetch(file.download_url)
    expect(saved.headers.get('content-disposition')).toContain(`filename*=UTF-8''Gro%C3%9Fmutter%20%2292%22.jpg`)
    expect((await library().anyone.fetch(file.url ?? '')).headers.get('content-disposition')).toBe('inline')
  })

  test('is signed again with a session, for the file and its thumbnail', async () => {
    const ben = await memberOf(library())
    const { file, bytes } = await readyPhoto(library(), 'fallback.jpg')
    const leadsTo = async (part: string) => {
      const response = await ben.fetch(`/api/media/${file.id}/${part}`)
      expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store'])
      return fetchFrom(library(), response.headers.get('location'))
    }
    expect((await leadsTo('file')).bytes).toEqual(bytes)
    expect((await leadsTo('thumbnail')).type).toBe('image/jpeg')
    expect((await library().anyone.fetch(`/api/media/${file.id}/file`)).status).toBe(401)
    expect((await ben.fetch('/api/media/999999/file')).status).toBe(404)
    expect((await ben.fetch('/api/media/x/thumbnail')).status).toBe(400)
    const unprepared = await uploadFile(ben, { name: 'unprepared.tif', bytes: await makePicture({ format: 'tiff' }) })
    const original = await ben.fetch(`/api/media/${unprepared.id}/file`)
    expect((await fetchFrom(library(), original.headers.get('location'))).bytes.length).toBe(unprepared.file_size)
  })
})
