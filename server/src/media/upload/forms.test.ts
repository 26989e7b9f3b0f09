import { expect, test } from 'vitest'
import { createFolder } from '#contract/folders.ts'
import { listMedia } from '#contract/media-list.ts'
import { uploadMedia } from '#contract/upload.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../../test/fixtures/pictures.ts'
import { asFile, photoForm, plainForm, send, untilPrepared } from '../../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../../test/library.ts'
import { createHasher } from '../../processing/hash.ts'

/** The entries of a form, in another order. */
function reordered(form: FormData, order: (entries: [string, string | File][]) => [string, string | File][]) {
  const changed = new FormData()
  for (const [name, value] of order([...form.entries()])) {
    if (typeof value === 'string') changed.append(name, value)
    else changed.append(name, value, value.name)
  }
  return changed
}

export function hashOf(bytes: Uint8Array): string {
  const hasher = createHasher()
  hasher.update(bytes)
  return hasher.digest()
}

onOneEngine('an upload', library => {
  test('a photo with the pictures that the browser made is ready at once', async () => {
    const ben = await memberOf(library())
    const photo = await makePicture({ width: 900, height: 600 })
    const form = photoForm('Strand 1.jpg', photo, await makeClientPictures(photo), { hash: hashOf(photo) })
    const { files, duplicates } = await send(ben, form)
    expect(duplicates).toEqual([])
    expect(files).toHaveLength(1)
    expect(files[0]).toMatchObject({
      original_name: 'Strand 1.jpg',
      file_type: 'image',
      mime_type: 'image/jpeg',
      file_size: photo.length,
      width: 900,
      height: 600,
      status: 'ready',
      progress: null,
      folder_id: null,
      uploaded_by: { username: 'ben' },
      hash: hashOf(photo),
    })
    expect(files[0]?.variant_urls?.thumbnail).toBe(files[0]?.thumbnail_url)
    expect(files[0]?.thumbhash).toMatch(/^[\w+/=]{10,}$/)
  })

  test('every address of a new photo opens without a session, and gives what it says', async () => {
    const ben = await memberOf(library())
    const photo = await makePicture({ width: 900, height: 600 })
    const pictures = await makeClientPictures(photo)
    const { files } = await send(ben, photoForm('addresses.jpg', photo, pictures))
    const [file] = files
    const bytesAt = async (url: string | null | undefined) => (await fetchFrom(library(), url)).bytes
    expect(await bytesAt(file?.url)).toEqual(photo)
    expect(await bytesAt(file?.download_url)).toEqual(photo)
    expect(await bytesAt(file?.variant_urls?.mobile)).toEqual(pictures.mobile.bytes)
    expect(await bytesAt(file?.variant_urls?.thumbnail)).toEqual(pictures.thumbnail.bytes)
  })

  test('a photo alone is taken in, and its addresses come when its pictures are made', async () => {
    const ben = await memberOf(library())
    const photo = await makePicture({ width: 400, height: 300 })
    const form = new FormData()
    form.append('files', asFile(photo), 'alone.jpg')
    const { files } = await send(ben, form)
    const [file] = files
    expect(file).toMatchObject({ original_name: 'alone.jpg', status: 'processing', thumbnail_url: null })
    expect(file?.variant_urls).toBeNull()
    // Browsers can show the original immediately.
    expect(file?.url).not.toBeNull()
    const prepared = await untilPrepared(ben, file?.id ?? 0)
    expect(prepared).toMatchObject({ status: 'ready', width: 400, height: 300 })
    expect(prepared.variant_urls).not.toBeNull()
  })

  test('words may come before the bytes, or after', async () => {
    const ben = await memberOf(library())
    const first = await makePicture({ width: 400 })
    const wordsFirst = reordered(photoForm('first.jpg', first, await makeClientPictures(first)), e => e.reverse())
    expect((await send(ben, wordsFirst)).files[0]).toMatchObject({ original_name: 'first.jpg', status: 'ready' })
    const second = await makePicture({ format: 'webp' })
    const plain = reordered(plainForm('second.webp', second, { hash: hashOf(second) }), e => e.reverse())
    expect((await send(ben, plain)).files[0]).toMatchObject({ original_name: 'second.webp' })
  })

  test('an original that browsers cannot show is sent with a version that they can', async () => {
    const ben = await memberOf(library())
    const original = await makePicture({ width: 700, height: 500, format: 'tiff' })
    const shown = await makePicture({ width: 700, height: 500 })
    const form = photoForm('scan.tif', shown, await makeClientPictures(shown), { hash: hashOf(original) })
    form.append('files', asFile(original), 'original_scan.tif')
    const { files } = await send(ben, form)
    expect(files[0]).toMatchObject({
      status: 'ready',
      mime_type: 'image/tiff',
      file_size: original.length,
      hash: hashOf(original),
    })
    expect((await fetchFrom(library(), files[0]?.url)).bytes).toEqual(shown)
    expect((await fetchFrom(library(), files[0]?.download_url)).bytes).toEqual(original)
  })

  test('an original that browsers cannot show has no address until its version for them is made', async () => {
    const ben = await memberOf(library())
    const { files } = await send(ben, plainForm('alone.tif', await makePicture({ width: 500, format: 'tiff' })))
    expect(files[0]).toMatchObject({ status: 'processing', url: null, thumbnail_url: null, variant_urls: null })
    const prepared = await untilPrepared(ben, files[0]?.id ?? 0)
    expect(prepared.status).toBe('ready')
    expect((await fetchFrom(library(), prepared.url)).type).toBe('image/jpeg')
  })

  test('several files in one form are several files', async () => {
    const ben = await memberOf(library())
    const [one, two] = [await makePicture(), await makePicture({ format: 'png' })]
    const form = new FormData()
    form.append('files', asFile(one), 'one.jpg')
    form.append('files', asFile(two), 'two.png')
    form.append('hashes', JSON.stringify([hashOf(one), hashOf(two)]))
    form.append('fileMetadata', JSON.stringify([{ originalName: 'Eins.jpg' }, { originalName: 'Zwei.png' }]))
    const { files } = await send(ben, form)
    expect(files.map(file => [file.original_name, file.mime_type])).toEqual([
      ['Eins.jpg', 'image/jpeg'],
      ['Zwei.png', 'image/png'],
    ])
  })

  test('when one of several files is refused, none of them is kept', async () => {
    const ben = await memberOf(library())
    const form = new FormData()
    form.append('files', asFile(await makePicture()), 'fine.jpg')
    form.append('files', asFile(Buffer.from('<html><script>alert(1)</script>')), 'page.jpg')
    const before = await ben.call(listMedia, { query: {} })
    await expect(send(ben, form)).rejects.toMatchObject({ status: 415 })
    expect((await ben.call(listMedia, { query: {} })).count).toBe(before.count)
  })

  test('words may be announced as JSON, as some clients do', async () => {
    const ben = await memberOf(library())
    const photo = await makePicture()
    const boundary = 'x-boundary-x'
    const body = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="fileMetadata"\r\ncontent-type: application/json\r\n\r\n` +
          `{"originalName":"announced.jpg"}\r\n--${boundary}\r\n` +
          'content-disposition: form-data; name="files"; filename="announced.jpg"\r\n\r\n',
      ),
      photo,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ])
    const response = await ben.fetch(uploadMedia.path, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ files: [{ original_name: 'announced.jpg' }] })
  })

  test('a file goes into the folder that was named, and takes the date and camera that the browser read', async () => {
    const ben = await memberOf(library())
    const folder = await ben.call(createFolder, { body: { name: `Holidays ${library().now()}` } })
    const metadata = { dateTimeOriginal: '2019-08-11T21:14:05+02:00', make: 'Canon', model: 'Canon EOS R6' }
    const { files } = await send(
      ben,
      plainForm('dated.jpg', await makePicture(), { folderId: folder.id, metadata, lastModified: 1_700_000_000_000 }),
    )
    expect(files[0]).toMatchObject({
      folder_id: folder.id,
      taken_at: '2019-08-11T21:14:05+02:00',
      camera: 'Canon EOS R6',
    })
    expect(decodeURIComponent(files[0]?.download_url ?? '')).toContain('/originals/2019/08/dated~')
  })
})
