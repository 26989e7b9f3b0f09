import sharp from 'sharp'
import { expect, test } from 'vitest'
import { changeDates } from '#contract/dates.ts'
import { getMedia } from '#contract/media.ts'
import { correctPlaces, mapClusters } from '#contract/places.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture } from '../../test/fixtures/pictures.ts'
import { plainForm, send, untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'

const world = '-180,-90,180,90'

/** As JSON, since some of them are no numbers of JavaScript. */
const numbers = [
  ...['5e-324', '-5e-324', '1e-320', '-0', '-0.0', '1e-30', '1e308', '-1e308', '1e309', '-1e309', '0', '-1', '0.5'],
  ...['2147483647', '2147483648', '4294967296', '9007199254740991', '9007199254740993', '9223372036854775808'],
]

const fields = [
  ...['latitude', 'longitude', 'altitude', 'exposureTime', 'fNumber', 'iso', 'focalLength', 'orientation'],
  ...['originalWidth', 'originalHeight'],
]

/** Every list, with what a request may say in numbers. */
function requestsWith(number: string): string[] {
  const value = encodeURIComponent(number)
  return [
    ...['limit', 'offset', 'year', 'tag', 'uploader', 'folder_id', 'album', 'hearted_by'].map(
      field => `/api/media?${field}=${value}`,
    ),
    ...['from', 'to', 'offset', 'limit', 'year', 'album'].map(field => `/api/media/grid?${field}=${value}`),
    ...['year', 'tag', 'album'].map(field => `/api/media/timeline?proportions=true&${field}=${value}`),
    ...['first', 'last', 'heading', 'year'].map(field => `/api/media/ids?${field}=${value}`),
    ...['zoom', 'bounds'].map(field => `/api/map/clusters?bounds=${world}&zoom=3&${field}=${value}`),
    `/api/map/clusters?bounds=${value},${value},${value},${value}&zoom=12`,
    `/api/map/towns?bounds=${value},${value},${value},${value}`,
    `/api/media?bounds=-180,${value},180,90`,
    `/api/media/${value}`,
    `/api/media/${value}/position`,
    `/api/media?cursor=${Buffer.from(`["date","desc",${number},${number}]`).toString('base64url')}`,
    `/api/media?sort=size&cursor=${Buffer.from(`["size","asc",${number},1]`).toString('base64url')}`,
    `/api/notifications?limit=${value}`,
    `/api/notifications?before=${value}`,
    `/api/albums?limit=${value}`,
    `/api/albums?before=${value}`,
    `/api/start?limit=${value}`,
  ]
}

const lists = [
  ...['/api/media', '/api/media?sort=size', '/api/media/grid', '/api/media/timeline?proportions=true', '/api/places'],
  ...['/api/media/ids', '/api/media/suggestions', '/api/map/extent', '/api/memories', '/api/start'],
  ...[0, 1, 5, 12].map(zoom => `/api/map/clusters?bounds=${world}&zoom=${zoom}`),
  `/api/map/clusters?bounds=-1,-1,1,1&zoom=12`,
]

async function failuresOf(person: SignedIn, paths: readonly string[]): Promise<string[]> {
  const failed: string[] = []
  for (const path of paths) {
    const { status } = await person.fetch(path)
    if (status >= 500) failed.push(`${status} ${path}`)
  }
  return failed
}

onBothEngines('numbers at the limits', library => {
  test('in the XMP of a photo break no list, map or place', async () => {
    const ben = await memberOf(library())
    const bytes = await sharp(await makePicture())
      .withXmp(xmpWith('5e-324'))
      .jpeg()
      .toBuffer()
    const { id } = await uploadFile(ben, { name: 'xmp.jpg', bytes })
    expect(await untilPrepared(ben, id, 170_000)).toMatchObject({ status: 'ready', latitude: 0, longitude: 8 })
    expect(await failuresOf(ben, lists)).toEqual([])
  }, 180_000)

  test('in the metadata of an upload do not either', async () => {
    const ben = await memberOf(library())
    const ids: number[] = []
    for (const number of numbers) {
      const about = fields.map(field => `"${field}":${number}`).join()
      const form = plainForm('a.jpg', await makePicture())
      // Of two values with the same name JSON keeps the last one.
      form.set('fileMetadata', `{"originalName":"a.jpg","metadata":{${about},"longitude":12}}`)
      ids.push(...(await send(ben, form)).files.map(file => file.id))
    }
    expect(await failuresOf(ben, [...lists, ...ids.map(id => `/api/media/${id}`)])).toEqual([])
  })

  test("as a file's own date are refused or ignored", async () => {
    const ben = await memberOf(library())
    for (const number of numbers) {
      const form = plainForm('dated.jpg', await makePicture())
      form.set('fileMetadata', `{"originalName":"dated.jpg","lastModified":${number}}`)
      const { status } = await ben.fetch('/api/media/upload', { method: 'POST', body: form })
      expect([number, status < 500]).toEqual([number, true])
    }
    expect(await failuresOf(ben, lists)).toEqual([])
  })

  test('in a place that somebody sets are rounded to a centimetre', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadFile(ben, {})
    for (const number of numbers) {
      for (const place of [`"latitude":${number},"longitude":8`, `"latitude":8,"longitude":${number}`]) {
        const response = await ben.fetch('/api/media/places', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: `{"fileIds":[${id}],"place":{${place}}}`,
        })
        expect([number, response.status < 500]).toEqual([number, true])
        expect(await failuresOf(ben, lists.slice(-2))).toEqual([])
      }
    }
    await ben.call(correctPlaces, { body: { fileIds: [id], place: { latitude: 1.23456789, longitude: -0 } } })
    const { latitude, longitude } = await ben.call(getMedia, { params: { id } })
    expect([latitude, longitude]).toEqual([1.2345679, 0])
    const clusters = await ben.call(mapClusters, { query: { bounds: '-1,1,1,2', zoom: 12 } })
    expect(clusters.map(({ count }) => count)).toEqual([1])
  })

  test('in a request are refused, or find nothing', async () => {
    const ben = await memberOf(library())
    await uploadFile(ben, {})
    expect(await failuresOf(ben, numbers.flatMap(requestsWith))).toEqual([])
  })

  test('in a correction of dates are refused', async () => {
    const ben = await memberOf(library())
    const { id } = await uploadFile(ben, {})
    await ben.call(changeDates, { body: { fileIds: [id], change: { kind: 'set', edtf: '1974-05-06T07:08:09' } } })
    for (const number of numbers) {
      for (const body of [
        `{"fileIds":[${id}],"change":{"kind":"shift","minutes":${number}}}`,
        `{"fileIds":[${number}],"change":{"kind":"clear"}}`,
        `{"fileIds":[${id}],"change":{"kind":"copy","from":${number}}}`,
      ]) {
        const headers = { 'content-type': 'application/json' }
        const { status } = await ben.fetch('/api/media/dates', { method: 'POST', headers, body })
        expect([body, status < 500]).toEqual([body, true])
      }
    }
    expect(await failuresOf(ben, lists)).toEqual([])
  })
})

function xmpWith(number: string): string {
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
      exif:GPSLatitude="${number}" exif:GPSLongitude="8" exif:GPSAltitude="${number}" exif:FNumber="${number}"
      exif:ExposureTime="${number}" exif:FocalLength="${number}" tiff:Orientation="${number}"/></rdf:RDF></x:xmpmeta>`
}
