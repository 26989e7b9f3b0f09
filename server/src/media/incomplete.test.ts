import { expect, test, vi } from 'vitest'
import { listFailedFiles, retryFailedFile } from '#contract/admin.ts'
import { createAlbum } from '#contract/albums.ts'
import { mediaGrid, readGrid } from '#contract/grid.ts'
import { listGuestUploads } from '#contract/guest-uploads.ts'
import { checkDuplicate, getMedia, type MediaFile, rehashMedia, rotateMedia } from '#contract/media.ts'
import { clipMaker } from '../../test/fixtures/clips.ts'
import { makeUploadLink, senderOf } from '../../test/fixtures/guests.ts'
import { withDatabase } from '../../test/fixtures/insert-media.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makeClientPictures } from '../../test/fixtures/pictures.ts'
import { asFile, photoForm, plainForm, send, untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { makeHeicGrid } from '../../test/processing/heic-grid.ts'
import { samsungTrailer, withContentIdentifier } from '../../test/processing/motion-photos.ts'
import { drawPhoto } from '../../test/processing/pictures.ts'
import { h264AndAac, picture } from '../../test/processing/video-clips.ts'
import { updateMedia } from './media.sql.ts'

vi.setConfig({ testTimeout: 300_000 })
/** Decoders run at low priority, so they are slow on a busy machine. */
const SOON = 120_000
const make = await clipMaker()
let made = 0
const unlike = () => ['-metadata', `comment=${++made}`]
const film = (...args: string[]) => make('film.mp4', ...picture('160x120', 2), ...h264AndAac, ...unlike(), ...args)
const photo = async () => (await drawPhoto(320, 240, ++made)).jpeg().toBuffer()

async function heic(): Promise<Buffer> {
  const tile = ['-frames:v', '1', '-c:v', 'libx265', '-vf', `hue=h=${++made * 20}`]
  const hevc = await make('tile.hevc', ...picture('128x128', 1), ...tile)
  return makeHeicGrid(hevc, { columns: 4, rows: 3, tile: { width: 128, height: 128 }, apart: true })
}

const short = (bytes: Buffer, share: number) => bytes.subarray(0, Math.floor(bytes.length * share))
const seen = (person: SignedIn, id: number) => person.call(getMedia, { params: { id } })

const programs = { environment: { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH } }

onBothEngines(
  'a file whose end is missing',
  library => {
    const problemOf = async (id: number) => {
      const ada = await memberOf(library(), 'ada')
      return (await ada.call(listFailedFiles, { query: {} })).find(file => file.id === id)
    }

    const kinds: [what: string, draw: () => Promise<Buffer>, status: MediaFile['status']][] = [
      ['HEIC', heic, 'ready'],
      ['MP4 that begins with its index', () => film('-movflags', '+faststart'), 'ready'],
      ['MP4 whose index is at the end', () => film(), 'failed'],
      ['JPEG', photo, 'ready'],
    ]

    test.each(kinds)('is kept and says so from the start: a %s', async (what, draw, status) => {
      const ben = await memberOf(library())
      const whole = await draw()
      const added = await uploadFile(ben, { name: what, bytes: short(whole, 0.7) })
      const incomplete = what === 'JPEG' ? { expected_size: null } : { expected_size: expect.any(Number) }
      expect(added).toMatchObject({ incomplete, partly_damaged: true, file_size: short(whole, 0.7).length })
      const { id } = added
      expect(await untilPrepared(ben, id, SOON)).toMatchObject({ status, incomplete, partly_damaged: true })
      const tiles = readGrid(await ben.call(mediaGrid, { query: {} }))
      expect(tiles.find(tile => tile.id === id)).toMatchObject({ incomplete: true, partly_damaged: true })
      expect(await problemOf(id)).toMatchObject({ problem: status === 'failed' ? 'failed' : 'incomplete' })
      const { duplicates } = await ben.call(checkDuplicate, { body: { hash: added.hash } })
      expect(duplicates).toMatchObject([{ id, incomplete: true }])

      const sound = await uploadFile(ben, { name: `Whole ${what}`, bytes: whole })
      expect(sound).toMatchObject({ incomplete: null, partly_damaged: false })
      expect(await untilPrepared(ben, sound.id, SOON)).toMatchObject({
        status: 'ready',
        incomplete: null,
        partly_damaged: false,
      })
      expect(await problemOf(sound.id)).toBeUndefined()
    })

    test('does not depend on the pictures that a browser made', async () => {
      const ben = await memberOf(library())
      const whole = await photo()
      const pictures = await makeClientPictures(whole)
      const { files } = await send(ben, photoForm('cut.jpg', short(whole, 0.9), pictures))
      expect(files).toMatchObject([{ incomplete: { expected_size: null }, partly_damaged: true }])
      const id = files[0]?.id ?? 0
      const prepared = () => library().rows(`select id from jobs where unique_key = 'media.prepare:${id}'`)
      await expect.poll(prepared, { timeout: SOON }).toEqual([])
      expect(await seen(ben, id)).toMatchObject({ incomplete: { expected_size: null }, partly_damaged: true })
    })

    test('keeps its mark when somebody turns it, and when an admin has it prepared again', async () => {
      const [ben, ada] = [await memberOf(library()), await memberOf(library(), 'ada')]
      const { id } = await uploadFile(ben, { name: 'turned.heic', bytes: short(await heic(), 0.8) })
      await untilPrepared(ben, id, SOON)
      await ben.call(rotateMedia, { params: { id }, body: { rotation: 90 } })
      await expect.poll(async () => (await seen(ben, id)).rotation?.variants, { timeout: SOON }).toBe(90)
      expect(await seen(ben, id)).toMatchObject({
        incomplete: { expected_size: expect.any(Number) },
        partly_damaged: true,
      })
      // As if it had been uploaded to a version that did not know.
      const unmarked = { incomplete: 0, expected_size: null }
      await withDatabase(library(), db => db.transaction(tx => updateMedia(tx, id, unmarked)))
      await ada.call(retryFailedFile, { params: { id } })
      await expect.poll(async () => (await seen(ben, id)).incomplete, { timeout: SOON }).not.toBeNull()
    })

    test('is found when its stored bytes are verified', async () => {
      const ben = await memberOf(library())
      const { id, hash } = await uploadFile(ben, { name: 'before.heic', bytes: short(await heic(), 0.6) })
      await untilPrepared(ben, id, SOON)
      const unmarked = { incomplete: 0, expected_size: null, partly_damaged: 0 }
      await withDatabase(library(), db => db.transaction(tx => updateMedia(tx, id, unmarked)))
      await ben.call(rehashMedia, { params: { id }, body: { hash } })
      expect(await seen(ben, id)).toMatchObject({
        incomplete: { expected_size: expect.any(Number) },
        partly_damaged: true,
      })
    })

    test('may be a JPEG without its end marker, of which nothing is lost: decoding shows it', async () => {
      const ben = await memberOf(library())
      const added = await uploadFile(ben, { name: 'untidy.jpg', bytes: (await photo()).subarray(0, -2) })
      expect(added.incomplete).toEqual({ expected_size: null })
      expect(await untilPrepared(ben, added.id, SOON)).toMatchObject({ incomplete: null, partly_damaged: false })
    })

    test('may be a motion photo whose clip was cut off', async () => {
      const ben = await memberOf(library())
      const whole = samsungTrailer(await photo(), await film())
      const { id, incomplete } = await uploadFile(ben, { name: 'motion.jpg', bytes: short(whole, 0.8) })
      expect(incomplete).toEqual({ expected_size: null })
      expect(await untilPrepared(ben, id, SOON)).toMatchObject({ status: 'ready', incomplete, motion_url: null })
    })

    test('may be the clip of a Live Photo, which is then a file of its own', async () => {
      const ben = await memberOf(library())
      const still = withContentIdentifier(await photo(), '7E1D2C3B-0000-4000-8000-000000000001')
      const clip = short(await film('-movflags', '+faststart'), 0.8)
      const form = plainForm('IMG_1.JPG', still, { motionName: 'IMG_1.MOV' })
      form.append('files', asFile(clip), 'motion_IMG_1.JPG')
      const answer = await send(ben, form)
      expect(answer.separate_clips).toHaveLength(1)
      expect(answer.files).toMatchObject([
        { original_name: 'IMG_1.JPG', incomplete: null },
        { original_name: 'IMG_1.MOV', incomplete: { expected_size: expect.any(Number) } },
      ])
    })

    test('is reported to the guest who sent it and to the family who looks it through', async () => {
      const ben = await memberOf(library())
      const album = await ben.call(createAlbum, { body: { title: 'Wedding' } })
      const tom = await senderOf(library(), await makeUploadLink(ben, album.id), 'Tom')
      const incomplete = { expected_size: expect.any(Number) }
      expect(await tom.send('cut.heic', short(await heic(), 0.7))).toMatchObject({ incomplete })
      expect(await tom.send('whole.heic', await heic())).toMatchObject({ incomplete: null })
      expect(await tom.sent()).toMatchObject([{ incomplete: null }, { name: 'cut.heic', incomplete }])
      expect(await ben.call(listGuestUploads, { query: { album: album.id } })).toMatchObject([
        { name: 'cut.heic', incomplete },
        { name: 'whole.heic', incomplete: null },
      ])
    })
  },
  programs,
)
