import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createAlbum } from '#contract/albums.ts'
import { createAlbumLink, createLink, listLinks, updateLink } from '#contract/links.ts'
import { captionMedia } from '#contract/media.ts'
import { makeLink, openedBy, withToken } from '../../test/fixtures/guests.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, onOneEngine } from '../../test/library.ts'

const SECRET = 'Granny Zeynep after the operation'

onBothEngines('captions for guests', library => {
  const captioned = async () => {
    const ben = await memberOf(library())
    const [id = 0] = await insertMedia(library(), [{ name: 'private.jpg' }])
    await ben.call(captionMedia, { params: { id }, body: { caption: SECRET } })
    return { ben, id }
  }

  test('are shown only by a link whose maker has chosen it, for files and for an album', async () => {
    const { ben, id } = await captioned()
    const album = await ben.call(createAlbum, { body: { title: 'Family', fileIds: [id] } })
    for (const make of [
      (captions?: boolean) => ben.call(createLink, { body: { fileIds: [id], captions } }),
      (captions?: boolean) => ben.call(createAlbumLink, { params: album, body: { captions } }),
    ]) {
      const link = await make()
      expect(link).toMatchObject({ captions: false })
      const without = await openedBy(library(), withToken(link))
      expect((await without.files()).files).toMatchObject([{ id, caption: null }])
      const shown = await make(true)
      const guest = await openedBy(library(), withToken(shown))
      expect((await guest.files()).files).toMatchObject([{ id, caption: SECRET }])
    }
  })

  test('disappear as soon as the link shows them no more, and an undo asks what it was', async () => {
    const { ben, id } = await captioned()
    const link = await ben.call(createLink, { body: { fileIds: [id], captions: true } })
    const guest = await openedBy(library(), withToken(link))
    const shown = async () => (await guest.files()).files[0]?.caption
    expect(await shown()).toBe(SECRET)
    const now = await ben.call(updateLink, { params: link, body: { captions: false } })
    expect([now.captions, await shown()]).toEqual([false, null])
    expect((await ben.call(listLinks, { query: {} })).find(one => one.id === link.id)).toMatchObject({
      captions: false,
    })
    const undo = (captions: boolean) => ({
      captions: true,
      expected: { title: null, originals: false, captions },
    })
    await expect(ben.call(updateLink, { params: link, body: undo(true) })).rejects.toMatchObject({ status: 409 })
    expect(await shown()).toBeNull()
    await ben.call(updateLink, { params: link, body: undo(false) })
    expect(await shown()).toBe(SECRET)
  })
})

onOneEngine('a guest without captions', library => {
  test('finds the words in no answer, picture, header or ZIP', async () => {
    const ben = await memberOf(library())
    const bytes = await sharp(await makePicture())
      .withExif({ IFD0: { ImageDescription: 'Granny Zeynep in the file' } })
      .jpeg()
      .toBuffer()
    const { id } = await uploadFile(ben, { name: 'private.jpg', bytes })
    expect(await untilPrepared(ben, id)).toMatchObject({ caption: 'Granny Zeynep in the file' })
    await ben.call(captionMedia, { params: { id }, body: { caption: SECRET } })
    const guest = await openedBy(library(), await makeLink(ben, { fileIds: [id] }))
    const sizes = ['thumbnail', 'mobile', 'website', 'desktop'].map(size => `/files/${id}/${size}?download=true`)
    for (const path of ['/files', `/files?ids=${id}`, '/files?search=zeynep', '/zip', ...sizes]) {
      const answer = await guest.fetch(path)
      const text = Buffer.from(await answer.arrayBuffer()).toString('latin1') + JSON.stringify([...answer.headers])
      expect([path, answer.status, /Zeynep|operation|Description|xmp/.exec(text)?.[0]]).toEqual([path, 200, undefined])
    }
  })
})
