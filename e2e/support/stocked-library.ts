import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { createFolder } from '#contract/folders.ts'
import { DAY } from '#contract/limits.ts'
import type { MediaFile } from '#contract/media.ts'
import { makeClientPictures, makePicture } from '../../server/test/fixtures/pictures.ts'
import { photoForm, send, untilPrepared, uploadFile } from '../../server/test/fixtures/uploads.ts'
import { h264AndAac, openClipFolder, picture, sound } from '../../server/test/processing/video-clips.ts'
import { type Visitor, visitor } from '../../server/test/visitor.ts'
import { deleteWelcome } from './caller.ts'
import { test as family } from './family.ts'
import type { PhotoToInsert } from './insert-photos.ts'
import type { LibraryServer } from './server.ts'
import { signedIn, tokenOf } from './session.ts'

/** Photo 001 is the newest. The days have one photo, two, three and so on up to nine, then one again. */
const PHOTOS = 300
const FILMS = 3
export const FILES = PHOTOS + FILMS

const NEWEST = Date.UTC(2024, 5, 14)

/** The photos in the order of the list, with the day that each is listed under. */
export const photos = Array.from({ length: PHOTOS }, (_, i) => ({ name: photoName(i + 1), day: dayOf(i) }))

export function photoName(number: number): string {
  return `Photo ${String(number).padStart(3, '0')}.jpg`
}

function dayOf(i: number): string {
  let [day, left] = [0, i]
  for (let size = 1; left >= size; size = (size % 9) + 1) {
    left -= size
    day += 1
  }
  return new Date(NEWEST - day * 9 * DAY).toISOString().slice(0, 10)
}

interface Stocked {
  server: LibraryServer
  token: string
  caller: Visitor
  /** A folder with the ten oldest photos. */
  folder: { id: number; name: string }
}

interface Fixtures {
  /** Opens the stocked library as Ada. */
  open: (path?: string, options?: BrowserContextOptions) => Promise<Page>
}

/** For tests that change nothing: all tests of a worker share one library of 300 photos and three films. */
export const test = family.extend<Fixtures, { stocked: Stocked }>({
  stocked: [
    async ({ serverHost }, use) => {
      const server = await serverHost.startServer()
      const token = await tokenOf(server.url, 'ada')
      const caller = visitor(new URL(server.url), token, 'straight')
      await deleteWelcome(caller)
      const folder = await caller.call(createFolder, { body: { name: 'Beach' } })
      await serverHost.insertPhotos(server, stock(folder.id))
      await addFilms(caller)
      await use({ server, token, caller, folder })
      await server.stop()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  library: async ({ stocked }, use) => use({ ...stocked.server, stop: async () => {} }),
  open: async ({ stocked, newDevice }, use) => {
    await use(async (path = '/', options = { viewport: { width: 1440, height: 900 } }) => {
      const device = { ...signedIn(stocked.server.url, stocked.token), ...options }
      const page = await newDevice({ reducedMotion: 'reduce', locale: 'en-GB', ...device })
      await page.goto(path)
      return page
    })
  },
})

function stock(folderId: number): PhotoToInsert[] {
  return photos.map(({ name, day }, i) => {
    // The list is sorted from the latest to the earliest photo of a day.
    const seconds = 43_200 - i
    const dateTimeOriginal = new Date(Date.parse(day) + seconds * 1_000).toISOString().slice(0, 19)
    const inFolder = i >= PHOTOS - 10 ? folderId : null
    return { name, width: 40 + (i % 50), height: 48, dateTimeOriginal, folderId: inFolder }
  })
}

interface PhotoFacts {
  width?: number
  metadata?: { dateTimeOriginal: string }
  folderId?: number | null
}

/** Uploads a photo with its variants as a browser does, and waits until it is ready. */
export async function addPhoto(caller: Visitor, name: string, facts: PhotoFacts = {}): Promise<MediaFile> {
  // Without a date it would be listed after all others.
  const { width = 64, metadata = { dateTimeOriginal: new Date().toISOString().slice(0, 19) }, ...folder } = facts
  const fields = { metadata, ...folder }
  const bytes = await makePicture({ width, height: 48 })
  const { files } = await send(caller, photoForm(name, bytes, await makeClientPictures(bytes), fields))
  const [added] = files
  if (added === undefined) throw new Error(`${name} was not added`)
  return added.status === 'ready' ? added : untilPrepared(caller, added.id)
}

async function addFilms(caller: Visitor): Promise<void> {
  await using clipFolder = await openClipFolder()
  for (let film = 1; film <= FILMS; film++) {
    const path = await clipFolder.make(`${film}.mp4`, ...picture('96x72', film), ...sound(film), ...h264AndAac)
    const metadata = { dateTimeOriginal: `2010-01-0${film}T12:00:00` }
    const added = await uploadFile(caller, { name: `Film ${film}.mp4`, bytes: await readFile(path), metadata })
    await untilPrepared(caller, added.id, 150_000)
  }
}
