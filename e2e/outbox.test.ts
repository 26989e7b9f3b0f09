import type { Page, Route } from '@playwright/test'
import { createAlbum, getAlbum } from '#contract/albums.ts'
import { listMessages, startDirect } from '#contract/chat.ts'
import { listHearts } from '#contract/hearts.ts'
import { deleteMedia } from '#contract/media.ts'
import { notesOfFile } from '#contract/notes.ts'
import { endAllSessions } from '#contract/sessions.ts'
import { tagsOfFile } from '#contract/tags.ts'
import { chatOn } from './support/chat.ts'
import { signIn, toast } from './support/family.ts'
import { expect, type Member, test } from './support/members.ts'
import { viewer } from './support/viewer.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const withWorker = { ...phone, serviceWorkers: 'allow' } as const
const banner = 'The library can’t be reached. Trying again…'

/** What a browser says of requests that fail, and what the page says of them. */
test.use({ expectedLog: /could not be (sent|loaded|told|marked)|Failed to load resource|ERR_/ })

const notes = (page: Page) => page.getByRole('region', { name: 'Notes', exact: true })
const tags = (page: Page) => page.getByRole('region', { name: 'Tags', exact: true })

async function openWithPanel(page: Page, id: number): Promise<void> {
  await page.goto(`/?file=${id}&note=new`)
  await expect(page.getByRole('combobox', { name: 'Add a tag' })).toBeVisible()
}

async function writeNote(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'New note' })
  if (!(await field.isVisible())) await page.getByRole('button', { name: 'Add note' }).click()
  await field.fill(text)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
}

async function addTag(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a tag' }).fill(name)
  await page.keyboard.press('Enter')
}

const notesOn = async ({ caller }: Member, id: number) =>
  (await caller.call(notesOfFile, { params: { id }, query: {} })).map(({ content }) => content)

const tagsOn = async ({ caller }: Member, id: number) =>
  (await caller.call(tagsOfFile, { params: { id } })).map(({ name }) => name)

const lovedBy = async ({ caller }: Member, id: number) =>
  (await caller.call(listHearts, { query: { ids: String(id) } }))[0]?.people.map(({ username }) => username) ?? []

/** The calls in the outbox of this device. */
const stored = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('heirloom-device')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const counting = opening.result.transaction('outbox').objectStore('outbox').count()
          counting.onsuccess = () => {
            opening.result.close()
            resolve(counting.result)
          }
        }
      }),
  )

const storeCall = (page: Page, call: object) =>
  page.evaluate(
    call =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('heirloom-device')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const transaction = opening.result.transaction('outbox', 'readwrite')
          transaction.objectStore('outbox').add(call)
          transaction.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    call,
  )

test('what is done without a connection is shown at its place, survives a reload, and goes out once', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach] = await insertPhotos('Beach.jpg', 'Garden.jpg')
  const id = beach?.id ?? 0
  const ada = await openAs('ada')
  const ben = await openAs('ben', withWorker)
  const { page, line } = ben
  const album = await ben.caller.call(createAlbum, { body: { title: 'Our summer' } })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await openWithPanel(page, id)
  // The list of albums is on the device once it was seen.
  await page.getByRole('button', { name: 'Add to album' }).click()
  await expect(page.getByRole('button', { name: 'Our summer' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).last().click()
  await page.waitForTimeout(1_000)

  line.cut()
  await expect(page.getByText(banner)).toBeVisible({ timeout: 30_000 })
  await writeNote(page, 'The old boat')
  await expect(notes(page).getByText('Waiting to be sent')).toBeVisible()
  await addTag(page, 'Summer')
  await expect(tags(page).getByRole('button', { name: /^Summer/ })).toBeVisible()
  await page.getByRole('button', { name: 'Add to album' }).click()
  await page.getByRole('button', { name: 'Our summer' }).click()
  await expect(page.getByRole('region', { name: 'Albums' }).getByText('Our summer')).toBeVisible()
  await page.getByRole('button', { name: 'Add to Favourites' }).click()
  await expect(page.getByRole('button', { name: /Remove from Favourites/ })).toBeVisible()
  await expect.poll(() => stored(page)).toBe(4)

  await page.reload()
  await expect(viewer(page, 'Beach.jpg')).toBeVisible()
  await expect(notes(page).getByText('The old boat')).toBeVisible()
  await expect(tags(page).getByRole('button', { name: /^Summer/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /Remove from Favourites/ })).toBeVisible()

  line.restore()
  await expect(page.getByText(banner)).toHaveCount(0, { timeout: 30_000 })
  await expect.poll(() => stored(page), { timeout: 30_000 }).toBe(0)
  expect(await notesOn(ada, id)).toEqual(['The old boat'])
  expect(await tagsOn(ada, id)).toEqual(['Summer'])
  expect(await lovedBy(ada, id)).toEqual(['ben'])
  expect(await ada.caller.call(getAlbum, { params: { id: album.id } })).toMatchObject({ file_count: 1 })
  await expect(notes(page).getByText('Waiting to be sent')).toHaveCount(0)
  await expect(notes(page).getByText('The old boat')).toHaveCount(1)
})

test('an answer that is lost leads to a second request and to one note, tag, heart and message', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach] = await insertPhotos('Beach.jpg')
  const id = beach?.id ?? 0
  const [ada, ben] = [await openAs('ada'), await openAs('ben', phone)]
  const { page } = ben
  const conversation = await ben.caller.call(startDirect, { body: { otherUserId: ada.id } })
  await openWithPanel(page, id)
  let lost = 0
  const loseFirst = (seen = new Set<string>()) => {
    return async (route: Route) => {
      const request = route.request()
      const key = `${request.method()} ${new URL(request.url()).pathname}`
      if (request.method() === 'GET' || seen.has(key)) return route.continue()
      seen.add(key)
      lost++
      await route.fetch()
      await route.abort()
    }
  }
  await page.route(/\/api\/(notes|tags|hearts|messages)\//, loseFirst())
  await writeNote(page, 'Sent twice')
  await expect.poll(() => notesOn(ada, id)).toEqual(['Sent twice'])
  await addTag(page, 'Summer')
  await page.getByRole('button', { name: 'Add to Favourites' }).click()
  await expect.poll(() => stored(page), { timeout: 30_000 }).toBe(0)
  await expect(notes(page).getByText('Sent twice')).toHaveCount(1)
  await page.keyboard.press('Escape')
  const chat = chatOn(page)
  await chat.open()
  await chat.openConversation('Ada Okafor')
  await chat.say('Did you see it?')
  await expect.poll(() => stored(page), { timeout: 30_000 }).toBe(0)
  expect(lost).toBe(4)
  expect(await notesOn(ada, id)).toEqual(['Sent twice'])
  expect(await tagsOn(ada, id)).toEqual(['Summer'])
  expect(await lovedBy(ada, id)).toEqual(['ben'])
  const messages = await ada.caller.call(listMessages, { params: { id: conversation.id }, query: {} })
  expect(messages.map(({ content }) => content)).toEqual(['Did you see it?'])
})

test('a page that is killed while the server hangs has lost nothing', async ({ insertPhotos, openAs }) => {
  const [beach] = await insertPhotos('Beach.jpg')
  const id = beach?.id ?? 0
  const ben = await openAs('ben', withWorker)
  const { page, line } = ben
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await openWithPanel(page, id)
  line.hang()
  await writeNote(page, 'Written in a tunnel')
  await expect.poll(() => stored(page)).toBe(1)
  await page.goto('about:blank')
  line.restore()
  await page.goto('/')
  await expect.poll(() => notesOn(ben, id), { timeout: 30_000 }).toEqual(['Written in a tunnel'])
  await expect.poll(() => stored(page), { timeout: 30_000 }).toBe(0)
  // Its draft is not offered a second time.
  await openWithPanel(page, id)
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('')
})

test('what cannot be done any more is said in one sentence, and the rest goes out', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach, garden] = await insertPhotos('Beach.jpg', 'Garden.jpg')
  const ada = await openAs('ada')
  const ben = await openAs('ben', phone)
  const { page, line } = ben
  await openWithPanel(page, beach?.id ?? 0)
  line.cut()
  await expect(page.getByText(banner)).toBeVisible({ timeout: 30_000 })
  await writeNote(page, 'Too late')
  await expect(notes(page).getByText('Waiting to be sent')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, 'Garden.jpg')).toBeVisible()
  await page.getByRole('button', { name: 'Add to Favourites' }).click()
  await expect.poll(() => stored(page)).toBe(2)
  await ada.caller.call(deleteMedia, { params: { id: beach?.id ?? 0 } })
  line.restore()
  await expect(toast(page, 'Your note was not added: “Too late”')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => lovedBy(ada, garden?.id ?? 0), { timeout: 30_000 }).toEqual(['ben'])
  await expect.poll(() => stored(page)).toBe(0)
})

test('the words of a note and a message that are refused later are in their forms again', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach] = await insertPhotos('Beach.jpg')
  const ada = await openAs('ada')
  const ben = await openAs('ben', { viewport: { width: 1440, height: 900 } })
  const { page, line } = ben
  await ben.caller.call(startDirect, { body: { otherUserId: ada.id } })
  await page.reload()
  const chat = chatOn(page)
  await chat.open()
  await chat.openConversation('Ada Okafor')
  line.cut()
  await expect(page.getByText(banner)).toBeVisible({ timeout: 30_000 })
  const long = 'The boat that grandfather built in the winter before they left the island for good, '.repeat(3).trim()
  await chat.say(long)
  await expect.poll(() => stored(page)).toBe(1)
  const message = chat.field
  await message.fill('Begun since')
  await page.route(/\/api\/(notes|messages)\//, route =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { error: 'Not any more.', code: 'forbidden' } })
      : route.continue(),
  )
  line.restore()
  await expect(page.getByText(/^Your message was not sent/)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/Your text is back in the input field/)).toBeVisible()
  await expect(message).toHaveValue(`Begun since\n${long}`)

  await openWithPanel(page, beach?.id ?? 0)
  line.cut()
  await expect(page.getByText(banner)).toBeVisible({ timeout: 30_000 })
  await writeNote(page, long)
  await expect(notes(page).getByText('Waiting to be sent')).toBeVisible()
  line.restore()
  await expect(page.getByText(/^Your note was not added/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue(long)
})

test('what waits is listed in My settings, where it can be discarded, and signing out asks before it deletes it', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach] = await insertPhotos('Beach.jpg')
  const id = beach?.id ?? 0
  const ben = await openAs('ben', {
    ...withWorker,
    viewport: { width: 1440, height: 900 },
    isMobile: false,
    hasTouch: false,
  })
  const { page, line } = ben
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await openWithPanel(page, id)
  line.cut()
  await expect(page.getByText(banner)).toBeVisible({ timeout: 30_000 })
  await writeNote(page, 'A mistake')
  await writeNote(page, 'Another one')
  await expect.poll(() => stored(page)).toBe(2)
  // Also if this page was never open with a connection.
  await page.goto('/settings')
  const discard = page.getByRole('button', { name: /^Discard: Note/ })
  await expect(discard).toHaveCount(2)
  await discard.first().click()
  await expect(discard).toHaveCount(1)
  await expect.poll(() => stored(page)).toBe(1)
  // Of a later version of the page.
  await storeCall(page, { id: 'later', person: ben.id, call: 'POST /api/later', input: {}, shown: null, at: 1 })
  await page.reload()
  await page.getByRole('button', { name: 'Discard: Something that this version cannot show' }).click()
  await expect.poll(() => stored(page)).toBe(1)

  await page.getByRole('button', { name: 'Log out' }).click()
  const question = page.getByRole('alertdialog', { name: 'Log out before everything is sent?' })
  await expect(question).toContainText('will be deleted from this device')
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => stored(page)).toBe(0)
  line.restore()
  await page.waitForTimeout(2_000)
  expect(await notesOn(await openAs('ada'), id)).toEqual([])
})

test('access that was ended in between leaves nothing of what waited', async ({ insertPhotos, openAs }) => {
  const [beach] = await insertPhotos('Beach.jpg')
  const ben = await openAs('ben', phone)
  const { page, line, caller } = ben
  await openWithPanel(page, beach?.id ?? 0)
  line.cut()
  await expect(page.getByText(banner)).toBeVisible({ timeout: 30_000 })
  await writeNote(page, 'Nobody will read this')
  await expect.poll(() => stored(page)).toBe(1)
  await caller.call(endAllSessions)
  line.restore()
  await expect(page).toHaveURL('/login', { timeout: 30_000 })
  await expect.poll(() => stored(page)).toBe(0)
  expect(await notesOn(await openAs('ada'), beach?.id ?? 0)).toEqual([])
})

test('an expired session keeps what waits for the same person, and nobody else', async ({
  insertPhotos,
  openAs,
  deviceOf,
}) => {
  const [beach] = await insertPhotos('Beach.jpg')
  const id = beach?.id ?? 0
  const ada = await openAs('ada')
  // Without the proxy: a sign-in leads back to the address of the server.
  const page = await deviceOf('Ben Okafor', phone)
  const expire = async (text: string) => {
    await openWithPanel(page, id)
    const expired = { error: 'Please sign in.', code: 'session_expired' }
    await page.route('**/api/notes/media/*', route =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 401, json: expired }),
    )
    await writeNote(page, text)
    await expect(page).toHaveURL(/\/login/)
    await page.unrouteAll({ behavior: 'wait' })
    expect(await stored(page)).toBe(1)
  }
  await expire('Kept for Ben')
  await signIn(page, 'Ben Okafor')
  await expect.poll(() => notesOn(ada, id), { timeout: 30_000 }).toEqual(['Kept for Ben'])
  await expect.poll(() => stored(page)).toBe(0)

  await expire('Nothing for Rose')
  await signIn(page, 'Grandma Rose')
  await expect.poll(() => stored(page), { timeout: 30_000 }).toBe(0)
  expect(await notesOn(ada, id)).toEqual(['Kept for Ben'])
})
