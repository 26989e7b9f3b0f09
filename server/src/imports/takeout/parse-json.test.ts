import { expect, test } from 'vitest'
import { parseTakeoutJson } from './parse-json.ts'

const parse = (value: unknown, name = 'x.json') => parseTakeoutJson(name, Buffer.from(JSON.stringify(value)))
const taken = { photoTakenTime: { timestamp: '1557655872' } }
const sidecar = (value: object) => {
  const found = parse({ title: 'a.jpg', ...taken, ...value })
  return found.kind === 'sidecar' ? found.sidecar : expect.unreachable()
}

test('what a JSON file is, its content says', () => {
  expect(parse({ title: 'a.jpg', ...taken }).kind).toBe('sidecar')
  expect(parse({ title: 'Rom', description: 'x' }, 'métadonnées.json')).toMatchObject({
    kind: 'album',
    album: { title: 'Rom' },
  })
  expect(parse({ albumData: { title: 'Rom' } })).toMatchObject({ kind: 'album', album: { title: 'Rom' } })
  expect(parse({ title: null }, 'metadata.json').kind).toBe('other')
  expect(parse({ title: '', sharedAlbumComments: [{ text: 'Hi' }] }).kind).toBe('other')
  expect(parse({ title: ['a'] }, 'user-generated-memory-titles.json').kind).toBe('other')
  expect(parse({ title: 'x' }, 'print-subscriptions.json').kind).toBe('other')
  expect(parse({ title: 'x' }, 'shared_album_comments.json').kind).toBe('other')
  expect(parse([1, 2]).kind).toBe('other')
  expect(parseTakeoutJson('x.json', Buffer.from('{"title":')).kind).toBe('broken')
})

test('times are seconds in UTC, before 1970 too, and 0 is unknown', () => {
  expect(sidecar({ photoTakenTime: { timestamp: '-150000000' } }).takenAt).toBe(-150_000_000_000)
  expect(sidecar({ photoTakenTime: { timestamp: '0' }, creationTime: { timestamp: '1700000000' } })).toMatchObject({
    ...{ takenAt: null, uploadedAt: 1_700_000_000_000 },
  })
  expect(sidecar({ photoTakenTime: { timestamp: '99999999999999' } }).takenAt).toBeNull()
})

test('a corrected place counts over that of the camera, and (0, 0) is none', () => {
  const [corrected, camera] = [
    { latitude: 1, longitude: 2 },
    { latitude: 3, longitude: 4 },
  ]
  const none = { latitude: 0, longitude: 0 }
  expect(sidecar({ geoData: corrected, geoDataExif: camera }).place).toEqual(corrected)
  expect(sidecar({ geoData: none, geoDataExif: camera }).place).toEqual(camera)
  expect(sidecar({ geoData: none, geoDataExif: none }).place).toBeUndefined()
  expect(sidecar({ geoData: { latitude: 91, longitude: 0 } }).place).toBeUndefined()
})

test('flags that are absent are false, and an empty origin counts', () => {
  expect(sidecar({})).toMatchObject({
    favorited: false,
    archived: false,
    trashed: false,
    fromPartner: false,
    people: [],
  })
  expect(sidecar({ googlePhotosOrigin: { fromPartnerSharing: {} } }).fromPartner).toBe(true)
  expect(sidecar({ googlePhotosOrigin: { fromSharedAlbum: {} } }).fromSharedAlbum).toBe(true)
  expect(sidecar({ favorited: 'yes', people: 'Rose' })).toMatchObject({ favorited: false, people: [] })
})

test('comments have their author and time, and likes are names', () => {
  const sharedAlbumComments = [
    { text: ' Lovely ', contentOwnerName: 'Ben', creationTime: { timestamp: '1557655872' } },
    { liked: true, contentOwnerName: 'Rose' },
  ]
  expect(sidecar({ sharedAlbumComments })).toMatchObject({
    comments: [{ author: 'Ben', at: 1_557_655_872_000, text: 'Lovely' }],
    likes: ['Rose'],
  })
})

test('an album has its texts and places below its description', () => {
  const enrichments = [
    { narrativeEnrichment: { text: 'First day' } },
    {
      locationEnrichment: {
        location: [{ name: 'Rome', description: 'Italy', latitudeE7: 419000000 }, { name: 'Ostia' }],
      },
    },
  ]
  expect(parse({ title: 'Rom', description: 'Easter', enrichments })).toMatchObject({
    album: { description: 'Easter\n\nFirst day\n\nRome, Italy → Ostia' },
  })
})
