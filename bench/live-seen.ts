/**
 * How soon a change by one member is visible to the others: in two real Chromium browsers, from the action until both show
 * it. ROUNDS sets how often each is done.
 */
import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import type { Locator, Page } from '@playwright/test'
import { sendMessage, startDirect } from '../contract/src/chat.ts'
import { createFolder } from '../contract/src/folders.ts'
import { getMedia, type MediaFile } from '../contract/src/media.ts'
import { addNote } from '../contract/src/notes.ts'
import { adminStats, approvePerson, listPeople } from '../contract/src/people.ts'
import { addTag } from '../contract/src/tags.ts'
import { ensureWebBuilt } from '../scripts/lib/web.mjs'
import { Browser } from '../server/test/browser.ts'
import { makeClientPictures, makePicture } from '../server/test/fixtures/pictures.ts'
import { photoForm, send, uploadFile } from '../server/test/fixtures/uploads.ts'
import { openClipFolder, picture } from '../server/test/processing/video-clips.ts'
import { type Visitor, visitor } from '../server/test/visitor.ts'
import { withChromium } from './lib/chromium.ts'
import { startProduct } from './lib/product.ts'
import { line, median } from './lib/report.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 3)

/** A change: the page that others have open, the action, and what they should see. */
interface Happening {
  what: string
  path: string
  /** Resolves to the time of the change if that differs from the start of the action. */
  act: (round: number) => Promise<number | undefined>
  seen: (page: Page, round: number) => Locator
  before?: (page: Page) => Promise<void>
  once?: boolean
}

await ensureWebBuilt()
const product = await startProduct()
try {
  const [adas, bens] = [await product.signIn('ada'), await product.signIn('ben')]
  const [ada, ben] = [adas, bens].map(token => visitor(new URL(product.url), token, 'straight'))
  if (!ada || !ben) throw new Error('Two are signed in')
  const happenings = await whatHappens(ada, ben)
  await withChromium(async browser => {
    const pages: Page[] = []
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
    ]) {
      const context = await browser.newContext({ viewport })
      await context.addInitScript(token => localStorage.setItem('auth_token', token), adas)
      pages.push(await context.newPage())
    }
    for (const happening of happenings) await measure(pages, happening)
  })
  const load = loadavg().map(average => average.toFixed(1))
  console.log(`  load of the machine: ${load.join(', ')}`)
} finally {
  await product.stop()
}

async function measure(pages: Page[], { what, path, act, seen, before, once }: Happening): Promise<void> {
  for (const page of pages) {
    await page.goto(`${product.url}${path}`)
    await page.locator('nav[aria-label=Main]').waitFor({ state: 'attached' })
    await before?.(page)
    // Wait until the page is idle, so that its own loading is not measured.
    await page.waitForTimeout(1_500)
  }
  const times: number[] = []
  for (let round = 1; round <= (once ? 1 : ROUNDS); round++) {
    const begun = performance.now()
    const shown = pages.map(async page => {
      await seen(page, round).first().waitFor()
      return performance.now()
    })
    const done = (await act(round)) ?? begun
    times.push(Math.max(0, Math.max(...(await Promise.all(shown))) - done))
  }
  const [usual, longest] = [median(times), Math.max(...times)]
  line(what, `${usual.toFixed(0)} ms, ${longest.toFixed(0)} ms at most`, 'within a second', longest < 1_000)
}

async function whatHappens(ada: Visitor, ben: Visitor): Promise<Happening[]> {
  const me = (await ada.call(listPeople)).find(({ username }) => username === 'ada')
  const adasPhoto = await addPhoto(ada, 'Ada’s photo.jpg', 0)
  const direct = await ben.call(startDirect, { body: { otherUserId: me?.id ?? 0 } })
  const params = { id: adasPhoto.id }
  const photo = `/?file=${adasPhoto.id}`
  const converting = await filmToConvert(ben)
  return [
    {
      what: 'a finished conversion',
      path: `/?file=${converting.id}`,
      before: viewerIsOpen,
      act: () => untilReady(ben, converting.id),
      seen: page => page.locator('video'),
      once: true,
    },
    {
      what: 'a new photo, once it is uploaded',
      path: '/',
      act: async round => {
        await addPhoto(ben, `New ${round}.jpg`, round)
        return performance.now()
      },
      seen: (page, round) => page.getByRole('button', { name: `Images ${round + 1}`, exact: true }),
    },
    {
      what: 'a new folder',
      path: '/',
      act: round => done(ben.call(createFolder, { body: { name: `Lake ${round}`, parent_id: null } })),
      seen: (page, round) => page.getByText(`Lake ${round}`, { exact: true }),
    },
    {
      what: 'a tag',
      path: photo,
      before: viewerIsOpen,
      act: round => done(ben.call(addTag, { params, body: { tagName: `sunny ${round}` } })),
      seen: (page, round) => page.getByText(`sunny ${round}`, { exact: true }),
    },
    {
      what: 'a note',
      path: photo,
      before: viewerIsOpen,
      act: round => done(ben.call(addNote, { params, body: { content: `What a day, the ${round}.` } })),
      seen: (page, round) => page.getByText(`What a day, the ${round}.`, { exact: true }),
    },
    {
      what: 'a notification',
      path: '/',
      act: round => done(ben.call(addNote, { params, body: { content: `Another ${round}` } })),
      // A welcome, and one for each tag and note before.
      seen: (page, round) =>
        page.getByRole('button', { name: `Notifications, ${1 + 2 * ROUNDS + round} unread`, exact: true }),
    },
    {
      what: 'a message',
      path: '/',
      before: async page => {
        await page.getByRole('button', { name: /^Chat/ }).click()
        await page.getByRole('dialog', { name: 'Chat', exact: true }).getByRole('listitem').getByRole('button').click()
        await page.getByRole('textbox', { name: 'Message' }).waitFor()
      },
      act: round =>
        done(ben.call(sendMessage, { params: { id: direct.id }, body: { content: `The boat leaves at ${round}` } })),
      seen: (page, round) => page.getByRole('log').getByText(`The boat leaves at ${round}`),
    },
    {
      what: 'a request for access',
      path: '/admin',
      act: () => done(askForAccess('kofi')),
      seen: page => page.getByRole('tab', { name: 'Pending 1' }),
      once: true,
    },
    {
      what: 'an approval',
      path: '/admin',
      act: async () => {
        const [waiting] = (await ada.call(adminStats)).pendingUsers
        const begun = performance.now()
        await ada.call(approvePerson, { params: { id: waiting?.id ?? 0 } })
        return begun
      },
      seen: page => page.getByRole('tab', { name: 'Pending 0' }),
      once: true,
    },
  ]
}

async function viewerIsOpen(page: Page): Promise<void> {
  await page.getByRole('dialog').first().waitFor()
}

/** Measured from the start of the action: the server's time is part of the wait. */
async function done(act: Promise<unknown>): Promise<undefined> {
  await act
}

async function madePhoto(number: number) {
  const bytes = await makePicture({ width: 800, height: 600, number })
  return { bytes, variants: await makeClientPictures(bytes) }
}

async function addPhoto(caller: Visitor, name: string, number: number): Promise<MediaFile> {
  const { bytes, variants } = await madePhoto(number)
  const [added] = (await send(caller, photoForm(name, bytes, variants))).files
  if (added === undefined) throw new Error(`${name} was not added`)
  return added
}

/** Takes long enough to convert that two pages are open by then. */
async function filmToConvert(caller: Visitor): Promise<MediaFile> {
  await using clipFolder = await openClipFolder()
  const path = await clipFolder.make('film.avi', ...picture('640x480', 30), '-c:v', 'mpeg4')
  return uploadFile(caller, { name: 'Film.avi', bytes: await readFile(path) })
}

async function untilReady(caller: Visitor, id: number): Promise<number> {
  while ((await caller.call(getMedia, { params: { id } })).status !== 'ready') {
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  return performance.now()
}

/** As a person who is not approved yet. */
async function askForAccess(person: string): Promise<void> {
  const browser = new Browser(null)
  const choose = await browser.follow(`${product.url}/auth/google`)
  const isAnswered = (address: URL) => address.pathname === '/login'
  await browser.follow(choose, isAnswered, { method: 'POST', body: new URLSearchParams({ person }) })
}
