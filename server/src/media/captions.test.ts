import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { listActivity, retryFailedFile } from '#contract/admin.ts'
import { undoChange } from '#contract/changes.ts'
import { mediaGrid } from '#contract/grid.ts'
import { lengths } from '#contract/limits.ts'
import { captionMedia, getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'

vi.setConfig({ testTimeout: 60_000 })

onBothEngines('a caption', library => {
  const insert = async (name: string) => (await insertMedia(library(), [{ name }]))[0] ?? 0
  const write = (person: SignedIn, id: number, caption: string | null, expected?: string | null) =>
    person.call(captionMedia, { params: { id }, body: { caption, expected } })
  const read = (person: SignedIn, id: number) => person.call(getMedia, { params: { id } })

  test('is one line that lists show and a search finds, whoever wrote it', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await insert('lake.jpg')
    expect(await read(ben, id)).toMatchObject({ caption: null, caption_source: null })
    const written = await rose.call(captionMedia, {
      params: { id },
      body: { caption: '  Granny Zeynep\r\nat the  lake ' },
    })
    expect(written).toMatchObject({ id, caption: 'Granny Zeynep at the lake', change_id: expect.any(Number) })
    expect(await read(ben, id)).toMatchObject({ caption: 'Granny Zeynep at the lake', caption_source: 'person' })
    const found = { query: { search: 'zeynep lake' } }
    expect((await ben.call(mediaGrid, found)).files).toMatchObject([{ id, caption: 'Granny Zeynep at the lake' }])
    expect((await ben.call(listMedia, found)).files).toMatchObject([{ id, caption: 'Granny Zeynep at the lake' }])
    expect((await ben.call(listMedia, { query: { search: 'ze' } })).files).toMatchObject([{ id }])
    await write(ben, id, '\u200b ')
    expect(await read(rose, id)).toMatchObject({ caption: null, caption_source: 'person' })
    expect((await ben.call(listMedia, found)).files).toEqual([])
    expect((await ben.call(mediaGrid, { query: { search: 'lake.jpg' } })).files[0]).not.toHaveProperty('caption')
  })

  test('is undone, also later, unless somebody has written another one since', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const ada = await memberOf(library(), 'ada')
    const id = await insert('undone.jpg')
    const undo = (person: SignedIn, change: { change_id: number | null }) =>
      person.call(undoChange, { params: { id: change.change_id ?? 0 } })
    const first = await write(ben, id, 'First')
    const second = await write(ben, id, 'Second')
    expect(await write(ben, id, 'Second')).toMatchObject({ change_id: null })
    expect((await read(ben, id)).undoable).toMatchObject([{ kind: 'media.caption', files: 1, id: second.change_id }])
    expect(await undo(ben, second)).toEqual({ restored: 1 })
    expect((await ben.call(listMedia, { query: { search: 'second' } })).files).toEqual([])
    expect(await read(ben, id)).toMatchObject({ caption: 'First', caption_source: 'person' })
    await write(rose, id, 'By Rose')
    await expect(undo(ben, first)).rejects.toMatchObject({ status: 409 })
    expect(await read(ben, id)).toMatchObject({ caption: 'By Rose' })
    const lines = await ada.call(listActivity, { query: { media_id: id } })
    expect(lines.map(line => [line.actor?.username, line.act, line.before])).toEqual([
      ['rose', 'media.caption', { caption: 'First', source: 'person' }],
      ['ben', 'media.undo', { undone: 'media.caption' }],
      ['ben', 'media.caption', { caption: 'First', source: 'person' }],
      ['ben', 'media.caption', { caption: null, source: null }],
    ])
  })

  test('never overwrites what somebody else has written in between, and says what that is', async () => {
    const [ben, rose] = [await memberOf(library()), await memberOf(library(), 'rose')]
    const id = await insert('both.jpg')
    await write(rose, id, 'Uncle Kofi', null)
    const refused = { status: 409, message: expect.stringContaining('Uncle Kofi') }
    await expect(write(ben, id, 'An uncle', null)).rejects.toMatchObject(refused)
    expect(await write(ben, id, 'Uncle Kofi', null)).toMatchObject({ change_id: null })
    await write(ben, id, 'Uncle Kofi, 1974', 'Uncle Kofi')
    await write(rose, id, null, 'Uncle Kofi, 1974')
    await expect(write(ben, id, 'Kofi', 'Uncle Kofi, 1974')).rejects.toMatchObject({ status: 409 })
    expect(await read(ben, id)).toMatchObject({ caption: null })
  })

  test('is what the file says of itself, until somebody writes or removes one', async () => {
    const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
    const upload = async (name: string, ImageDescription: string) => {
      const bytes = await sharp(await makePicture())
        .withExif({ IFD0: { ImageDescription } })
        .jpeg()
        .toBuffer()
      const { id } = await uploadFile(ben, { name, bytes })
      await untilPrepared(ben, id)
      return id
    }
    /** As an admin has a failed file prepared once more. */
    const prepareAgain = async (id: number) => {
      await library().rows(`update media set status = 'failed' where id = ${id}`)
      await ada.call(retryFailedFile, { params: { id } })
      await untilPrepared(ben, id)
    }
    const id = await upload('scan.jpg', 'Granny Amal, 1961')
    expect(await read(ben, id)).toMatchObject({ caption: 'Granny Amal, 1961', caption_source: 'photo' })
    const found = await ben.call(listMedia, { query: { search: 'amal' } })
    expect(found.files.map(file => file.id)).toContain(id)
    await write(ben, id, 'Great-aunt Amal')
    await prepareAgain(id)
    expect(await read(ben, id)).toMatchObject({ caption: 'Great-aunt Amal', caption_source: 'person' })
    await write(ben, id, null)
    await prepareAgain(id)
    expect(await read(ben, id)).toMatchObject({ caption: null, caption_source: 'person' })
    const other = await upload('camera.jpg', 'OLYMPUS DIGITAL CAMERA         ')
    expect(await read(ben, other)).toMatchObject({ caption: null, caption_source: null })
    await write(ben, other, 'Ours')
    const { undoable } = await read(ben, other)
    await ben.call(undoChange, { params: { id: undoable[0]?.id ?? 0 } })
    expect(await read(ben, other)).toMatchObject({ caption: null, caption_source: null })
  })

  test('has a limit', async () => {
    const ben = await memberOf(library())
    const id = await insert('long.jpg')
    await write(ben, id, 'é'.repeat(lengths.caption))
    await expect(write(ben, id, 'a'.repeat(lengths.caption + 1))).rejects.toMatchObject({ status: 422 })
  })
})
