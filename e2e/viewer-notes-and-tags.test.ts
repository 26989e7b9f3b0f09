import type { Page } from '@playwright/test'
import { createFolder } from '#contract/folders.ts'
import { addNote } from '#contract/notes.ts'
import { addTag, tagsOfFile } from '#contract/tags.ts'
import { callerOn } from './support/caller.ts'
import {
  answer,
  expect,
  type InsertPhotos,
  type PersonName,
  test,
  toast,
  typeInFocusedField,
  waitWithPointerOn,
} from './support/family.ts'
import type { LibraryServer } from './support/server.ts'
import { tokenOf } from './support/session.ts'
import { viewer } from './support/viewer.ts'

type DeviceOf = (name: PersonName, options?: object) => Promise<Page>

/** Ada's library with A.jpg, B.jpg and C.jpg, the newest first, and Ben in the family. */
async function openA(deviceOf: DeviceOf, insertPhotos: InsertPhotos, library: LibraryServer) {
  const [a, b] = await insertPhotos('A.jpg', 'B.jpg', 'C.jpg')
  if (a === undefined || b === undefined) throw new Error('There are no files')
  await tokenOf(library.url, 'ben')
  const page = await deviceOf('Ada Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  await page.goto(`/?file=${a.id}`)
  await expect(viewer(page, 'A.jpg')).toBeVisible()
  return { page, caller, a, b }
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test('tags are added, suggested, searched and removed', async ({ deviceOf, insertPhotos, library }) => {
  const { page, caller, b } = await openA(deviceOf, insertPhotos, library)
  await caller.call(addTag, { params: { id: b.id }, body: { tagName: 'Grandma’s garden' } })
  await page.reload()
  const field = page.getByRole('combobox', { name: 'Add a tag' })
  const calls: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().includes('/api/tags/')) calls.push(request.url())
  })
  await field.fill('   ')
  await page.keyboard.press('Enter')
  expect(calls).toEqual([])

  await field.fill('  Summer ')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Tag added successfully')).toBeVisible()
  await expect(section(page, 'Tags').getByRole('button', { name: 'Summer', exact: true })).toBeVisible()
  await expect(field).toHaveValue('')
  // Open suggestions would hide the toast from screen readers.
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Undo', exact: true })).toBeVisible()

  await field.fill('GARDEN')
  await expect(page.getByRole('option')).toHaveText(['Grandma’s garden'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(section(page, 'Tags').getByRole('listitem')).toHaveText(['Grandma’s garden', 'Summer'])
  await expect(page.getByRole('listbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Undo', exact: true }).first()).toBeVisible()

  await section(page, 'Tags').getByRole('button', { name: 'Remove tag Summer' }).click()
  await waitWithPointerOn(page, 'Tag removed successfully')
  await expect(section(page, 'Tags').getByRole('listitem')).toHaveText(['Grandma’s garden'])
  // The newest toast is the first one.
  await page.getByRole('button', { name: 'Undo', exact: true }).first().click()
  await expect(section(page, 'Tags').getByRole('listitem')).toHaveText(['Grandma’s garden', 'Summer'])

  await section(page, 'Tags').getByRole('button', { name: 'Grandma’s garden', exact: true }).click()
  await expect(viewer(page)).toHaveCount(0)
  await expect(page).toHaveURL(/search=Grandma/)
  await expect(page.getByRole('gridcell', { name: /^[AB]\.jpg, / })).toHaveCount(2)
})

test('notes are written, edited one at a time and deleted, and no draft is lost', async ({
  deviceOf,
  insertPhotos,
  library,
}) => {
  const { page } = await openA(deviceOf, insertPhotos, library)
  const notes = section(page, 'Notes').getByRole('listitem')
  const writing = page.getByRole('textbox', { name: 'New note' })
  await page.getByRole('button', { name: 'Add note' }).click()
  await expect(writing).toBeFocused()
  await typeInFocusedField(page, '   ')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(notes).toHaveCount(0)

  await writing.fill('A day at the <b>sea</b>. See https://example.org/trip.')
  // Navigating to the next file and closing the viewer keep the unsaved draft.
  await page.getByRole('button', { name: 'Next file' }).click()
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  await expect(writing).toHaveCount(0)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await page.getByRole('gridcell', { name: /^A\.jpg, / }).click()
  await expect(writing).toHaveValue('A day at the <b>sea</b>. See https://example.org/trip.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Note added successfully')).toBeVisible()
  await expect(notes).toHaveCount(1)
  await expect(notes).toContainText('Ada Okafor')
  await expect(notes).toContainText('@ada')
  await expect(notes).toContainText('A day at the <b>sea</b>.')
  const link = notes.getByRole('link', { name: 'https://example.org/trip' })
  await expect(link).toHaveAttribute('rel', /noopener noreferrer/)
  await expect(viewer(page).getByRole('img', { name: 'A day at the <b>sea</b>.' })).toBeVisible()

  await page.getByRole('button', { name: 'Add note' }).click()
  await writing.fill('And the dog was there.')
  await page.keyboard.press('Control+Enter')
  await expect(notes).toHaveCount(2)

  const editing = page.getByRole('textbox', { name: 'Note', exact: true })
  await notes.first().getByRole('button', { name: /^Edit/ }).click()
  await expect(editing).toBeFocused()
  await editing.fill('A long day at the sea.')
  await notes.nth(1).getByRole('button', { name: /^Edit/ }).click()
  await expect(editing).toHaveCount(1)
  await expect(editing).toHaveValue('And the dog was there.')
  await expect(notes.first()).toContainText('Your changes are kept here, but not saved yet.')
  await page.keyboard.press('Escape')
  await expect(editing).toHaveCount(0)
  await notes.first().getByRole('button', { name: /^Edit/ }).click()
  await expect(editing).toHaveValue('A long day at the sea.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Note updated successfully')).toBeVisible()
  await expect(notes.first()).toContainText('edited')

  await notes
    .nth(1)
    .getByRole('button', { name: /^Delete/ })
    .click()
  // Escape closes the question, not the viewer below it.
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(viewer(page, 'A.jpg')).toBeVisible()
  await notes
    .nth(1)
    .getByRole('button', { name: /^Delete/ })
    .click()
  expect(await answer(page, false)).toBe('Are you sure you want to delete this note? You can undo this.')
  await expect(notes).toHaveCount(2)
  await notes
    .nth(1)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await answer(page, true)
  await expect(toast(page, 'Note deleted successfully')).toBeVisible()
  await expect(notes).toHaveCount(1)
})

test('typing @ suggests people, chosen by arrows, Enter or click and closed by Escape', async ({
  deviceOf,
  insertPhotos,
  library,
}) => {
  const { page } = await openA(deviceOf, insertPhotos, library)
  await page.getByRole('button', { name: 'Add note' }).click()
  const writing = page.getByRole('textbox', { name: 'New note' })
  const options = page.getByRole('option')
  await typeInFocusedField(page, 'With @OKA')
  await expect(options).toHaveText([/Ada Okafor/, /Ben Okafor/])
  await expect(page.getByRole('combobox', { name: 'New note' })).toHaveAttribute('aria-expanded', 'true')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(writing).toHaveValue('With @ben ')
  await expect(options).toHaveCount(0)

  await typeInFocusedField(page, 'and @a')
  await expect(options.first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(options).toHaveCount(0)
  await expect(writing).toHaveValue('With @ben and @a')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await typeInFocusedField(page, '@ad')
  await options.getByText('Ada Okafor').click()
  await expect(writing).toHaveValue('With @ben and @ada ')
  await expect(writing).toBeFocused()
  await typeInFocusedField(page, 'and @nobody')
  await expect(options).toHaveCount(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(section(page, 'Notes').getByTitle('Ben Okafor')).toHaveText('@ben')
  await expect(section(page, 'Notes').getByTitle('Ben Okafor')).toHaveCSS('text-decoration-line', 'underline')
})

test('a link opens a note on a photo, also on a phone', async ({ deviceOf, insertPhotos, library }) => {
  const { page, caller, a } = await openA(deviceOf, insertPhotos, library)
  const notes = await Promise.all(
    ['One', 'Two', 'Three'].map(content => caller.call(addNote, { params: { id: a.id }, body: { content } })),
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/?file=${a.id}&note=${notes[1]?.id}`)
  const pointed = page.getByRole('listitem').and(page.locator('[aria-current]'))
  await expect(pointed).toContainText('Two')
  await expect(pointed).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Hide Details & Tags' })).toBeVisible()
  await page.getByRole('button', { name: 'Hide Details & Tags' }).click()
  await expect(page.getByRole('button', { name: 'Show Details & Tags' })).toBeVisible()
  await expect(pointed).toHaveCount(0)
})

test('a failure shows its own message, and the text is kept', async ({ deviceOf, insertPhotos, library }) => {
  const { page, caller, a } = await openA(deviceOf, insertPhotos, library)
  await caller.call(addTag, { params: { id: a.id }, body: { tagName: 'Sea' } })
  await caller.call(addNote, { params: { id: a.id }, body: { content: 'One' } })
  await page.reload()
  await expect(section(page, 'Notes').getByRole('listitem')).toHaveCount(1)
  // Without an answer it would wait for one.
  const refusal = { error: 'This is not allowed any more.', code: 'forbidden' }
  await page.route(/\/api\/(tags|notes)\//, route =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 403, json: refusal }),
  )

  await page.getByRole('combobox', { name: 'Add a tag' }).fill('Summer')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Failed to add tag')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Add a tag' })).toHaveValue('Summer')
  await page.getByRole('button', { name: 'Remove tag Sea' }).click()
  await expect(toast(page, 'Failed to remove tag')).toBeVisible()

  await page.getByRole('button', { name: 'Add note' }).click()
  await typeInFocusedField(page, 'Two')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Failed to add note')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('Two')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^Edit the note/ }).click()
  await page.getByRole('textbox', { name: 'Note', exact: true }).fill('Changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Failed to update note')).toBeVisible()
  await page.getByRole('button', { name: /^Delete the note/ }).click()
  await answer(page, true)
  await expect(toast(page, 'Failed to delete note')).toBeVisible()

  await page.unrouteAll({ behavior: 'wait' })
  await page.route(/\/api\/(tags|notes)\/media\//, route => route.abort())
  await page.reload()
  await expect(toast(page, 'Failed to load tags and notes')).toHaveCount(1)
})

test('a photo is renamed, moved and deleted from the viewer, which then shows the next', async ({
  deviceOf,
  insertPhotos,
  library,
}) => {
  const { page, caller } = await openA(deviceOf, insertPhotos, library)
  await caller.call(createFolder, { body: { name: 'Beach' } })
  await expect(viewer(page)).toContainText(/19 June 2024 at 12:30 \(UTC\+2\)|June 19, 2024 at 12:30\sPM \(UTC\+2\)/)
  await page.getByRole('button', { name: 'Rename' }).click()
  const field = page.getByRole('textbox', { name: 'File name' })
  await field.fill('  ')
  await page.keyboard.press('Enter')
  await expect(viewer(page, 'A.jpg')).toBeVisible()
  await page.getByRole('button', { name: 'Rename' }).click()
  await typeInFocusedField(page, 'Sea')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'File renamed successfully')).toBeVisible()
  await expect(viewer(page, 'Sea.jpg')).toBeVisible()

  await expect(viewer(page)).toContainText('Not in a folder')
  await page.getByRole('button', { name: 'Move to a folder' }).click()
  await page.getByRole('radio', { name: 'Beach' }).check()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(toast(page, 'Successfully moved 1 file to Beach')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Move to another folder, now in Beach' })).toBeVisible()

  // By keyboard: the confirmation keeps the focus that the closed menu would return to its button.
  await page.getByRole('button', { name: 'More actions' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  const confirmation = page.getByRole('alertdialog')
  await expect(confirmation).toBeVisible()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'File deleted successfully')).toBeVisible()
  await expect(viewer(page, 'B.jpg')).toContainText('1 of 2')
  await expect(page.getByText('This file is not in the library any more.')).toHaveCount(0)
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'Undone')).toBeVisible()
  await expect(viewer(page, 'B.jpg')).toContainText('2 of 3')
})

test('many files are tagged from the selection bar, and a note is added from a file’s menu', async ({
  deviceOf,
  insertPhotos,
  library,
}) => {
  const { page, caller, a, b } = await openA(deviceOf, insertPhotos, library)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  const tile = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
  await tile('A.jpg').click({ modifiers: ['Control'] })
  await tile('B.jpg').click({ modifiers: ['Control'] })
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'Add tag' }).click()
  await expect(page.getByRole('dialog', { name: 'Tag 2 files' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Add a tag' })).toBeFocused()
  await typeInFocusedField(page, 'Summer')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Tag added successfully')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const { id } of [a, b]) {
    expect((await caller.call(tagsOfFile, { params: { id } })).map(({ name }) => name)).toEqual(['Summer'])
  }

  await page.keyboard.press('Escape')
  await tile('B.jpg').hover()
  await page.getByRole('button', { name: 'Actions for B.jpg' }).click()
  await page.getByRole('menuitem', { name: 'Add note' }).click()
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'New note' })).toBeFocused()
})
