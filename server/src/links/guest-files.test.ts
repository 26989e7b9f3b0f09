import sharp from 'sharp'
import { expect, test } from 'vitest'
import { clipMaker } from '../../test/fixtures/clips.ts'
import { makeLink, openedBy } from '../../test/fixtures/guests.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makeClientPictures, makePicture } from '../../test/fixtures/pictures.ts'
import { unzip } from '../../test/fixtures/unzip.ts'
import { photoForm, send, untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onOneEngine } from '../../test/library.ts'
import { ffmpegUnderTest, h264AndAac, picture, sound } from '../../test/processing/video-clips.ts'

const make = await clipMaker()
const ffmpeg = await ffmpegUnderTest()

const exif = {
  IFD0: { Make: 'SecretCamera', Artist: 'SecretArtist' },
  IFD2: { DateTimeOriginal: '2024:06:01 12:34:56', BodySerialNumber: 'SecretSerial' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' },
}
const secretPhoto = async () =>
  sharp(await makePicture())
    .withExif(exif)
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SecretXmp</x:xmpmeta>')
    .jpeg()
    .toBuffer()

// The comment of x264 is in the data between the frames, where camcorders write the position.
const secretFilm = () =>
  make(
    'film.mp4',
    ...picture(),
    ...sound(),
    ...h264AndAac,
    ...[
      '-metadata',
      'location=+51.5000-000.1200/',
      '-metadata',
      'comment=SecretComment',
      '-movflags',
      'use_metadata_tags',
    ],
    ...['-metadata', 'com.apple.quicktime.location.ISO6709=+51.5000-000.1200/'],
  )

const traces = /Secret|Exif|adobe|51\.5|x264 - core/

onOneEngine(
  'what guests get',
  library => {
    test('has no metadata, made by the browser or by the server; the originals have it, where the link gives them', async () => {
      const ben = await memberOf(library())
      const bytes = await secretPhoto()
      const byServer = await uploadFile(ben, { name: 'Secret one.jpg', bytes })
      const other = await secretPhoto()
      const byClient = (await send(ben, photoForm('Secret two.jpg', other, await makeClientPictures(other)))).files[0]
      const film = await uploadFile(ben, { name: 'Secret film.mp4', bytes: await secretFilm() })
      const ids = [byServer.id, byClient?.id ?? 0, film.id]
      for (const id of ids) await untilPrepared(ben, id, 110_000)
      const guest = await openedBy(library(), await makeLink(ben, { fileIds: ids }))

      const copied = async () => (await guest.files()).files.filter(({ video }) => video).map(({ id }) => id)
      await expect.poll(copied, { timeout: 110_000 }).toEqual([film.id])
      const { files } = await guest.files()
      expect(JSON.stringify(files)).not.toMatch(traces)

      const read = async (path: string) => Buffer.from(await (await guest.fetch(path)).arrayBuffer())
      const sizes = ['thumbnail', 'mobile', 'website', 'desktop']
      const paths = [...ids.flatMap(id => sizes.map(size => `/files/${id}/${size}`)), `/files/${film.id}/video`]
      for (const path of paths) {
        const got = await read(path)
        expect([path, got.length > 100, traces.exec(got.toString('latin1'))?.[0]]).toEqual([path, true, undefined])
      }
      const zip = unzip(await read('/zip'))
      expect(zip.map(({ name }) => name).sort()).toEqual([
        expect.stringMatching(/^2024-06-01 12\.34\.56 \(2\)\.jpg$/),
        '2024-06-01 12.34.56.jpg',
        expect.stringMatching(/\.mp4$/),
      ])
      for (const file of zip) expect(file.bytes.toString('latin1')).not.toMatch(traces)
      const saved = await guest.fetch(`/files/${byServer.id}/desktop?download=true`)
      expect(saved.headers.get('content-disposition')).toBe('attachment; filename="2024-06-01 12.34.56.jpg"')
      expect(Object.fromEntries(saved.headers)).not.toEqual(
        expect.objectContaining({ etag: expect.stringMatching(traces) }),
      )

      const trusted = await openedBy(library(), await makeLink(ben, { fileIds: ids, originals: true }))
      const original = await trusted.fetch(`/files/${byServer.id}/original?download=true`)
      expect(Buffer.from(await original.arrayBuffer()).equals(bytes)).toBe(true)
      const originals = unzip(Buffer.from(await (await trusted.fetch('/zip?originals=true')).arrayBuffer()))
      expect(originals.some(file => file.bytes.equals(bytes))).toBe(true)
    }, 240_000)
  },
  { environment: { FFMPEG_PATH: ffmpeg.path } },
)
