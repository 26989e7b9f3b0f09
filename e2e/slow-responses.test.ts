import type { Locator, Page } from '@playwright/test'
import { sendMessage, startDirect } from '#contract/chat.ts'
import { createFolder, listFolders } from '#contract/folders.ts'
import { listMedia } from '#contract/media-list.ts'
import { addNote, notesOfFile } from '#contract/notes.ts'
import { listNotifications } from '#contract/notifications.ts'
import { tagsOfFile } from '#contract/tags.ts'
import type { Visitor } from '../server/test/visitor.ts'
import { chatOn } from './support/chat.ts'
import { delayRequests } from './support/delay-requests.ts'
import { answer, toast, waitWithPointerOn } from './support/family.ts'
import { line, openMenu, startRenaming } from './support/folders.ts'
import { expect, test } from './support/members.ts'
import { addPhoto } from './support/stocked-library.ts'
import { viewer } from './support/viewer.ts'

/** Responses are delayed in these tests: what a person does in the meantime must not be overwritten by them. */

async function names(caller: Visitor): Promise<string[]> {
  const { files } = await caller.call(listMedia, { query: { sort: 'date' } })
  return files.map(file => file.original_name)
}

const tile = (page: Page, index: number) => page.locator(`td[data-index="${index}"]`)

async function write(field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await field.press('Enter')
}

test('a late response for a closed conversation does not leave the open one', async ({ openAs }) => {
  const [ada, , rose] = [await openAs('ada'), await openAs('ben'), await openAs('rose')]
  const { id } = await rose.caller.call(startDirect, { body: { otherUserId: ada.id } })
  await rose.caller.call(sendMessage, { params: { id }, body: { content: 'Hello dear' } })
  const chat = chatOn(ada.page)
  await chat.open()
  const letGo = await delayRequests(ada.page, 'POST', '**/api/conversations/direct')
  await chat.window.getByRole('button', { name: 'New conversation' }).click()
  const dialog = ada.page.getByRole('dialog', { name: 'New conversation' })
  await dialog.getByRole('button', { name: 'Ben Okafor' }).click()
  await dialog.getByRole('button', { name: 'Start Chat' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await chat.openConversation('Rose')
  await chat.field.pressSequentially('Do not tell ')
  const answered = ada.page.waitForResponse('**/api/conversations/direct')
  letGo()
  await answered
  await chat.field.pressSequentially('Ben about the present')
  await expect(chat.field).toHaveValue('Do not tell Ben about the present')
  await expect(chat.message('Hello dear')).toBeVisible()
})

test('two photos renamed in the viewer each keep their own undo; a late deletion does not change the photo', async ({
  openAs,
  insertPhotos,
}) => {
  const [first] = await insertPhotos('A.jpg', 'B.jpg', 'C.jpg', 'D.jpg')
  const { page, caller } = await openAs('ada')
  await page.goto(`/?file=${first?.id}`)
  const letNamesGo = await delayRequests(page, 'PATCH', '**/rename')
  await page.getByRole('button', { name: 'Rename' }).click()
  await write(page.getByRole('textbox', { name: 'File name' }), 'One.jpg')
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  await page.getByRole('button', { name: 'Rename' }).click()
  await write(page.getByRole('textbox', { name: 'File name' }), 'Two.jpg')
  letNamesGo()
  await waitWithPointerOn(page, 'File renamed successfully')
  await expect.poll(() => names(caller)).toEqual(['One.jpg', 'Two.jpg', 'C.jpg', 'D.jpg'])
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(2)
  // The newest toast is the first one.
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(() => names(caller)).toEqual(['One.jpg', 'B.jpg', 'C.jpg', 'D.jpg'])

  const letDeletionGo = await delayRequests(page, 'DELETE', '**/api/media/*')
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, true)
  await page.getByRole('button', { name: 'Next file' }).click()
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(viewer(page, 'D.jpg')).toBeVisible()
  letDeletionGo()
  await expect(toast(page, 'File deleted successfully')).toBeVisible()
  await expect.poll(() => names(caller)).toEqual(['One.jpg', 'C.jpg', 'D.jpg'])
  await expect(viewer(page, 'D.jpg')).toBeVisible()
})

test('a name being edited stays when the previous one is saved', async ({ openAs, insertPhotos }) => {
  await insertPhotos('A.jpg', 'B.jpg')
  const { page, caller } = await openAs('ada')
  for (const name of ['Aunt', 'Boat', 'Cats', 'Dogs']) await caller.call(createFolder, { body: { name } })
  await page.reload()
  await expect(page.getByRole('gridcell', { name: /^B\.jpg/ })).toBeVisible()

  await test.step('of a photo', async () => {
    const letGo = await delayRequests(page, 'PATCH', '**/rename')
    const field = page.getByRole('textbox', { name: 'File name' })
    await tile(page, 0).focus()
    await page.keyboard.press('F2')
    await write(field, 'One.jpg')
    await tile(page, 1).focus()
    await page.keyboard.press('F2')
    await field.last().fill('Tw')
    letGo()
    await expect(toast(page, 'File renamed successfully')).toBeVisible()
    await expect(page.getByText('One.jpg')).toHaveCount(1)
    await expect(field).toBeFocused()
    await field.pressSequentially('o.jpg')
    await field.press('Enter')
    await expect.poll(() => names(caller)).toEqual(['One.jpg', 'Two.jpg'])
  })

  await test.step('of a folder', async () => {
    const letGo = await delayRequests(page, 'PUT', '**/api/folders/*')
    await startRenaming(page, 'Aunt', 'Aunts')
    await page.keyboard.press('Enter')
    await startRenaming(page, 'Boat', 'Boats and')
    letGo()
    await expect(line(page, 'Aunts')).toBeVisible()
    const field = page.getByLabel('Folder Name')
    await expect(field).toBeFocused()
    await field.pressSequentially(' ships')
    await field.press('Enter')
    await expect(line(page, 'Boats and ships')).toBeVisible()
  })

  await test.step('of another folder while one is being made', async () => {
    const letGo = await delayRequests(page, 'POST', '**/api/folders')
    const dialog = page.getByRole('dialog', { name: 'New Folder' })
    await page.getByRole('button', { name: 'New Folder' }).click()
    await write(dialog.getByLabel('Folder Name'), 'Eels')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await page.getByRole('button', { name: 'New Folder' }).click()
    await dialog.getByLabel('Folder Name').fill('Fo')
    letGo()
    await expect(page.getByRole('treeitem', { name: /^Eels/, includeHidden: true })).toBeAttached()
    await dialog.getByLabel('Folder Name').pressSequentially('xes')
    await dialog.getByLabel('Folder Name').press('Enter')
    await expect(line(page, 'Foxes')).toBeVisible()
  })

  await test.step('and what is searched for while folders are being deleted, which are both', async () => {
    const letGo = await delayRequests(page, 'DELETE', '**/api/folders/*')
    for (const name of ['Cats', 'Dogs']) {
      await openMenu(page, name)
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await answer(page, true)
    }
    const search = page.getByRole('searchbox')
    await search.pressSequentially('on')
    letGo()
    await expect(line(page, 'Dogs')).toHaveCount(0)
    await expect(line(page, 'Cats')).toHaveCount(0)
    await search.pressSequentially('e')
    await expect(search).toBeFocused()
    await expect(search).toHaveValue('one')
    expect((await caller.call(listFolders)).map(({ name }) => name)).toEqual([
      'Aunts',
      'Boats and ships',
      'Eels',
      'Foxes',
    ])
  })
})

test('tags and notes added in quick succession are each saved once', async ({ openAs, insertPhotos }) => {
  const [photo] = await insertPhotos('A.jpg', 'B.jpg')
  const { page, caller } = await openAs('ada')
  const params = { id: photo?.id ?? 0 }
  for (const content of ['First', 'Second']) await caller.call(addNote, { params, body: { content } })
  await page.goto(`/?file=${params.id}`)

  await test.step('tags', async () => {
    const letGo = await delayRequests(page, 'POST', '**/tags/**')
    const field = page.getByRole('combobox', { name: 'Add a tag' })
    for (const tag of ['oma', 'opa', 'baby']) await write(field, tag)
    letGo()
    await expect
      .poll(async () => (await caller.call(tagsOfFile, { params })).map(({ name }) => name).sort())
      .toEqual(['baby', 'oma', 'opa'])
  })

  await test.step('a note that is changed while another is saved', async () => {
    const letGo = await delayRequests(page, 'PUT', '**/api/notes/*')
    const item = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    const field = page.getByRole('textbox', { name: 'Note', exact: true })
    await item('First').getByRole('button', { name: /^Edit/ }).click()
    await field.fill('First of all')
    await page.getByRole('button', { name: 'Save' }).click()
    await item('Second').getByRole('button', { name: /^Edit/ }).click()
    await field.fill('Second, and')
    letGo()
    await expect(item('First of all')).toBeVisible()
    await expect(field).toBeFocused()
    await field.pressSequentially(' a long story')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(field).toHaveCount(0)
    await expect(item('Second, and a long story')).toBeVisible()
  })

  await test.step('a new note that is saved while one looks at another photo', async () => {
    const letGo = await delayRequests(page, 'POST', '**/api/notes/media/*')
    await page.getByRole('button', { name: 'Add note' }).click()
    await page.getByRole('textbox', { name: 'New note' }).fill('Third')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Next file' }).click()
    await expect(viewer(page, 'B.jpg')).toBeVisible()
    await page.getByRole('button', { name: 'Previous file' }).click()
    await expect(viewer(page, 'A.jpg')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add note' })).toBeVisible()
    letGo()
    await expect(toast(page, 'Note added successfully')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add note' })).toBeVisible()
    const notes = await caller.call(notesOfFile, { params, query: {} })
    expect(notes.map(({ content }) => content).sort()).toEqual(['First of all', 'Second, and a long story', 'Third'])
  })
})

test('a late response neither leaves the folder opened since nor clears its selection', async ({
  openAs,
  insertPhotos,
}) => {
  await insertPhotos('A.jpg', 'B.jpg')
  const { page, caller } = await openAs('ada')
  const { id: folderId } = await caller.call(createFolder, { body: { name: 'Beach' } })
  const { id: doomed } = await caller.call(createFolder, { body: { name: 'Cats' } })
  await addPhoto(caller, 'Sand.jpg', { folderId })
  await page.goto(`/?folder=${doomed}`)

  const letDeletionGo = await delayRequests(page, 'DELETE', '**/api/folders/*')
  await openMenu(page, 'Cats')
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, true)
  await line(page, 'Beach').click()
  await expect(page.getByRole('gridcell')).toHaveCount(1)
  letDeletionGo()
  await expect(line(page, 'Cats')).toHaveCount(0)
  await expect(page).toHaveURL(`/?folder=${folderId}`)

  await line(page, 'All Files (Root)').click()
  await expect(page.getByRole('gridcell')).toHaveCount(3)
  const letAllGo = await delayRequests(page, 'GET', '**/api/media/ids**')
  await tile(page, 0).focus()
  await page.keyboard.press('Control+a')
  await line(page, 'Beach').click()
  await expect(page.getByRole('gridcell')).toHaveCount(1)
  await tile(page, 0)
    .getByRole('button', { name: /^Select/ })
    .click()
  const answered = page.waitForResponse('**/api/media/ids**')
  letAllGo()
  await answered
  await expect(page).toHaveURL(`/?folder=${folderId}`)
  await expect(page.getByRole('region', { name: 'Selected files' })).toContainText('1 selected')
})

test('two filters chosen at the same moment both apply', async ({ openAs, insertPhotos }) => {
  await insertPhotos('A.jpg', 'B.jpg')
  const { page, caller } = await openAs('ada')
  const { id } = await caller.call(createFolder, { body: { name: 'Beach' } })
  await page.reload()
  const folder = await line(page, 'Beach').elementHandle()
  const order = await page.getByRole('button', { name: /^Newest first/ }).elementHandle()
  await page.evaluate(
    choices => {
      for (const choice of choices) if (choice instanceof HTMLElement) choice.click()
    },
    [folder, order],
  )
  await expect(page).toHaveURL(`/?folder=${id}&order=asc`)
})

test('the selection stays when an earlier response arrives', async ({ openAs, insertPhotos }) => {
  await insertPhotos('A.jpg', 'B.jpg', 'C.jpg')
  const { page, caller } = await openAs('ada')
  await page.reload()
  const bar = page.getByRole('region', { name: 'Selected files' })
  await expect(tile(page, 2)).toBeVisible()

  const letAllGo = await delayRequests(page, 'GET', '**/api/media/ids**')
  await tile(page, 0).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Escape')
  const answered = page.waitForResponse('**/api/media/ids**')
  letAllGo()
  await answered
  await tile(page, 0)
    .getByRole('button', { name: /^Select/ })
    .click()
  await expect(bar).toContainText('1 selected')

  const letDeletionGo = await delayRequests(page, 'POST', '**/bulk-delete')
  await bar.getByRole('button', { name: 'Delete' }).click()
  await answer(page, true)
  await tile(page, 2)
    .getByRole('button', { name: /^Select/ })
    .click()
  await expect(bar).toContainText('2 selected')
  letDeletionGo()
  await expect.poll(() => names(caller)).toEqual(['B.jpg', 'C.jpg'])
  await expect(bar).toContainText('1 selected')
})

test('a slideshow pauses while a person types, and sends the chosen photo', async ({ openAs, insertPhotos }) => {
  const [photo] = await insertPhotos('A.jpg', 'B.jpg', 'C.jpg')
  const { page } = await openAs('ada')
  await openAs('ben')
  await page.goto(`/?file=${photo?.id}`)
  await page.clock.install()
  await page.getByRole('button', { name: /^Slideshow interval/ }).click()
  await page.getByRole('menuitemradio', { name: '1 second' }).click()
  await page.getByRole('button', { name: 'Start slideshow' }).click()
  await page.getByRole('button', { name: 'Send to chat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send to chat' })
  await expect(dialog).toBeVisible()
  const heading = page.locator('.viewer').getByRole('heading', { includeHidden: true }).first()
  const shown = (await heading.textContent()) ?? ''
  // Longer than two slideshow intervals.
  await page.clock.runFor(2_500)
  await expect(heading).toHaveText(shown)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(heading).not.toHaveText(shown)
})

test('a double click on Delete deletes one notification', async ({ openAs, insertPhotos }) => {
  const [photo] = await insertPhotos('A.jpg')
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  for (const content of ['One', 'Two']) {
    await ben.caller.call(addNote, { params: { id: photo?.id ?? 0 }, body: { content } })
  }
  await ada.page.getByRole('button', { name: 'Notifications, 2 unread' }).click()
  const rows = ada.page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  const deletions: string[] = []
  ada.page.on('request', request => request.method() === 'DELETE' && deletions.push(request.url()))
  await rows.first().getByRole('button', { name: 'Delete' }).dblclick({ delay: 20 })
  await expect(rows).toHaveCount(1)
  expect(deletions).toHaveLength(1)
  expect(await ada.caller.call(listNotifications, { query: {} })).toHaveLength(1)
})
