import { listFolders } from '#contract/folders.ts'
import { getMedia } from '#contract/media.ts'
import { violations } from './support/axe.ts'
import { callerOn, sendPhoto } from './support/caller.ts'
import { answer, expect, test, toast, typeInFocusedField, waitWithPointerOn } from './support/family.ts'
import { line, makeFolders, namesOf, openMenu, rename, startRenaming } from './support/folders.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

test('a folder is created inside another by Enter or the button, and Escape cancels', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await expect(line(page, 'All Files (Root)')).toHaveAttribute('aria-current', 'page')

  await page.getByRole('button', { name: 'New Folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Folder' })
  await expect(dialog.getByLabel('Folder Name')).toBeFocused()
  await expect(dialog.getByLabel('Parent Folder').locator('option:checked')).toHaveText('Root Level')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Please enter a folder name')).toBeVisible()
  await typeInFocusedField(page, '   ')
  await dialog.getByRole('button', { name: 'Create Folder' }).click()
  await expect(dialog).toBeVisible()
  await dialog.getByLabel('Folder Name').fill('Summer 2026')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Folder created successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'New Folder' })).toBeFocused()

  await page.keyboard.press('Enter')
  await dialog.getByLabel('Folder Name').fill('Beach')
  await dialog.getByLabel('Parent Folder').selectOption('Summer 2026')
  await dialog.getByRole('button', { name: 'Create Folder' }).click()
  await expect(line(page, 'Beach')).toHaveAttribute('aria-level', '2')
  await expect(line(page, 'Summer 2026')).toHaveAttribute('aria-expanded', 'true')

  await line(page, 'Beach').click()
  await expect(page).toHaveURL(/\?folder=\d+$/)
  await expect(page.getByRole('heading', { name: 'Folder: Beach' })).toBeVisible()
  await page.getByRole('button', { name: 'New Folder' }).click()
  await expect(dialog.getByLabel('Parent Folder').locator('option:checked')).toHaveText('Root Level')
  await dialog.getByLabel('Folder Name').fill('Never made')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(await namesOf(page)).toEqual(['Summer 2026', 'Beach'])

  // A new folder is scrolled into view.
  await page.setViewportSize({ width: 1440, height: 300 })
  await page.getByRole('button', { name: 'New Folder' }).click()
  await typeInFocusedField(page, 'Winter')
  await page.keyboard.press('Enter')
  await expect(line(page, 'Winter')).toBeInViewport({ ratio: 1 })
})

test('a name that exists is refused, and folders that fail to load are reported and loaded by Retry', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await makeFolders(page, 'Summer')
  await test.step('two folders in one place cannot have the same name, and the error says so', async () => {
    await page.getByRole('button', { name: 'New Folder' }).click()
    await typeInFocusedField(page, 'SUMMER')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Failed to create folder')).toBeVisible()
    await expect(toast(page, 'There is already a folder called “SUMMER” here.')).toBeVisible()
    await expect(page.getByLabel('Folder Name')).toHaveValue('SUMMER')
  })
  await test.step('folders that fail to load show an error, and Retry loads them', async () => {
    await page.route('**/api/folders', route => route.abort())
    await page.reload()
    const panel = page.getByRole('navigation', { name: 'Folders' })
    await expect(panel.getByText('Failed to load folders')).toBeVisible()
    await page.unroute('**/api/folders')
    await panel.getByRole('button', { name: 'Retry' }).click()
    await expect(line(page, 'Summer')).toBeVisible()
  })
  await test.step('folders that fail to load are reported wherever they are needed', async () => {
    await line(page, 'Summer').click()
    await expect(page.getByRole('heading', { name: 'Folder: Summer' })).toBeVisible()
    await page.route('**/api/folders', route => route.abort())
    for (const size of [desktop, phone]) {
      await page.setViewportSize(size)
      await page.reload()
      await expect(toast(page, 'Failed to load folders')).toBeVisible()
    }
  })
})

test('a folder is renamed in place by the pencil and F2, and Undo restores its name', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await makeFolders(page, 'Bech', 'Winter')

  await line(page, 'Bech').hover()
  await page.getByRole('button', { name: 'Rename Bech' }).click()
  const field = page.getByLabel('Folder Name')
  await expect(field).toBeFocused()
  await field.fill(' Beach ')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Folder updated successfully')).toBeVisible()
  await expect(line(page, 'Beach')).toBeFocused()

  await page.keyboard.press('F2')
  await field.fill('Nothing of this stays')
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(line(page, 'Beach')).toBeFocused()

  await page.keyboard.press('F2')
  await field.fill('  ')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Please enter a folder name')).toBeVisible()
  await field.fill('winter')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Failed to update folder')).toBeVisible()
  await expect(toast(page, 'There is already a folder called “winter” here.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  // Wait for the toasts to disappear: they shift each other, and a moving button cannot be clicked.
  await expect(page.getByRole('region', { name: 'Messages' }).getByRole('listitem')).toHaveCount(0)

  await page.keyboard.press('F2')
  await field.fill('Lagoon')
  await page.keyboard.press('Enter')
  await waitWithPointerOn(page, 'Folder updated successfully')
  await expect(line(page, 'Lagoon')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(line(page, 'Beach')).toBeVisible()
})

test('deleting a folder asks first, and its files move to the root', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const [beach, inside] = await makeFolders(page, 'Beach', 'Beach / Rocks')
  const caller = await callerOn(page)
  const photo = await sendPhoto(caller, 'shell.jpg', beach?.id)
  await page.goto(`/?folder=${beach?.id}`)
  await expect(line(page, 'Beach')).toHaveAccessibleName('Beach, 1 file')

  await line(page, 'Beach').focus()
  await page.keyboard.press('Delete')
  expect(await answer(page, false)).toBe(
    'Are you sure you want to delete the folder "Beach"? This will move all files in this folder to the root level. You can undo this.',
  )
  await expect(line(page, 'Beach')).toBeVisible()

  await openMenu(page, 'Beach')
  // The menu is wider than the panel and must not be covered by the gallery next to it.
  for (const item of await page.getByRole('menuitem').all()) {
    const { width = 0, height = 0 } = (await item.boundingBox()) ?? {}
    await item.hover({ position: { x: width - 2, y: height / 2 } })
  }
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, true)
  await waitWithPointerOn(page, 'Folder deleted successfully')
  await expect(page).toHaveURL('/')
  await expect.poll(() => namesOf(page)).toEqual(['Rocks'])
  await expect(line(page, 'Rocks')).toHaveAttribute('aria-level', '1')
  expect((await caller.call(getMedia, { params: { id: photo.id } })).folder_id).toBeNull()
  expect((await caller.call(listFolders)).map(folder => folder.id)).toEqual([inside?.id])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Undone')).toBeVisible()
  await expect.poll(() => namesOf(page)).toEqual(['Beach', 'Rocks'])
  await expect(line(page, 'Beach')).toHaveAccessibleName('Beach, 1 file')
  const [again, below] = await caller.call(listFolders)
  expect(below).toMatchObject({ id: inside?.id, parent_id: again?.id })
  expect((await caller.call(getMedia, { params: { id: photo.id } })).folder_id).toBe(again?.id)
})

test('the tree works by keyboard, and collapsed folders stay collapsed', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await makeFolders(page, 'Summer', 'Summer / Beach', 'Summer / Lake', 'Winter')
  await line(page, 'All Files (Root)').focus()
  for (const [key, name] of [
    ['ArrowDown', 'Not in a folder'],
    ['ArrowDown', 'Summer'],
    ['ArrowRight', 'Beach'],
    ['ArrowDown', 'Lake'],
    ['ArrowLeft', 'Summer'],
    ['End', 'Winter'],
    ['Home', 'All Files (Root)'],
    ['l', 'Lake'],
    ['ArrowLeft', 'Summer'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(line(page, name)).toBeFocused()
  }
  await page.keyboard.press('ArrowLeft')
  await expect(line(page, 'Summer')).toHaveAttribute('aria-expanded', 'false')
  expect(await namesOf(page)).toEqual(['Summer', 'Winter'])

  await page.keyboard.press('Enter')
  await expect(line(page, 'Summer')).toHaveAttribute('aria-current', 'page')
  await page.reload()
  await expect(line(page, 'Summer')).toHaveAttribute('aria-expanded', 'false')
  await expect(line(page, 'Summer')).toHaveAttribute('aria-current', 'page')

  await line(page, 'Summer').focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Actions for Summer' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(page.getByLabel('Folder Name')).toBeFocused()
})

test('of two people who change the same folder, the second gets an error that says why', async ({ deviceOf }) => {
  const bens = await deviceOf('Ben Okafor', { viewport: desktop })
  await makeFolders(bens, 'Beach', 'Summer')
  const roses = await deviceOf('Grandma Rose', { viewport: desktop })
  await expect(line(roses, 'Beach')).toBeVisible()

  await rename(bens, 'Beach', 'Lagoon')
  await expect(line(bens, 'Lagoon')).toBeVisible()
  await rename(roses, 'Summer', 'lagoon')
  await expect(toast(roses, 'Failed to update folder')).toBeVisible()
  await expect(toast(roses, 'There is already a folder called “lagoon” here.')).toBeVisible()
  await expect(line(roses, 'Lagoon')).toBeVisible()
  await roses.keyboard.press('Escape')

  // Keeps her folder list stale: otherwise her page would refetch before she acts.
  const asSheKnowsThem = await (await callerOn(roses)).call(listFolders)
  await roses.route('**/api/folders', route => route.fulfill({ json: asSheKnowsThem }))
  await line(bens, 'Lagoon').focus()
  await bens.keyboard.press('Delete')
  await answer(bens, true)
  await expect(line(bens, 'Lagoon')).toHaveCount(0)
  await startRenaming(roses, 'Lagoon', 'Beach')
  await roses.unroute('**/api/folders')
  await roses.keyboard.press('Enter')
  await expect(toast(roses, 'There is no such folder any more.')).toBeVisible()
  await expect(line(roses, 'Lagoon')).toHaveCount(0)
  expect(await namesOf(roses)).toEqual(['Summer'])
})

test('on a phone the folders are a drawer that traps the focus and closes when one is chosen', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: phone, hasTouch: true, isMobile: true })
  await makeFolders(page, 'Summer', 'Summer / Beach')
  await expect(page.getByRole('tree')).toHaveCount(0)
  const more = page.getByRole('button', { name: 'More', exact: true })
  const openFolders = async () => {
    await more.tap()
    await page.getByRole('menuitem', { name: 'Folders' }).tap()
  }
  await openFolders()
  const drawer = page.getByRole('dialog', { name: 'Folders' })
  await expect(drawer).toBeVisible()
  for (let press = 0; press < 8; press++) {
    await page.keyboard.press('Tab')
    await expect(drawer.locator(':focus')).toHaveCount(1)
  }
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(more).toBeFocused()

  await openFolders()
  await drawer.getByRole('button', { name: 'Actions for Beach' }).tap()
  await page.getByRole('menuitem', { name: 'Rename' }).tap()
  await page.getByLabel('Folder Name').fill('Lake')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeVisible()
  await line(page, 'Beach').tap()
  await expect(drawer).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Folder: Beach' })).toBeVisible()

  await more.tap()
  await page.getByRole('menuitem', { name: 'Favourites' }).tap()
  await expect(page.getByText('No favourites yet')).toBeVisible()
})

test('many folders in twelve levels are virtualized, and every one can be reached', async ({ deviceOf }) => {
  test.slow()
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const deep = Array.from({ length: 12 }, (_, i) => Array.from({ length: i + 1 }, (_, l) => `Level ${l}`).join(' / '))
  const last = process.env.LONG ? 488 : 100
  const many = Array.from({ length: last }, (_, i) => `Trip ${i + 1}`)
  await makeFolders(page, ...deep, ...many)
  const panel = page.getByRole('navigation', { name: 'Folders' })
  expect(await panel.getByRole('treeitem').count()).toBeLessThan(60)
  const nameBox = await line(page, 'Level 11').getByText('Level 11').boundingBox()
  expect(nameBox?.width).toBeGreaterThan(60)

  await line(page, 'All Files (Root)').focus()
  await page.keyboard.press('End')
  await expect(line(page, `Trip ${last}`)).toBeFocused()
  await expect(line(page, `Trip ${last}`)).toBeInViewport()
  await openMenu(page, `Trip ${last}`)
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: `Move “Trip ${last}”` })
  await dialog.getByLabel('Search folders').fill('trip 71')
  await expect(dialog.getByRole('radio', { name: 'Trip 71' })).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(line(page, `Trip ${last}`)).toHaveAttribute('aria-level', '2')
})

for (const [device, viewport] of Object.entries({ phone, desktop })) {
  test(`the folders have no accessibility violations: ${device}`, async ({ deviceOf }) => {
    const page = await deviceOf('Ben Okafor', { viewport, reducedMotion: 'reduce' })
    await makeFolders(page, 'Summer', 'Summer / Beach', 'מוזיקה', `A name of ${'w'.repeat(80)}`)
    if (device === 'phone') {
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Folders' }).click()
    }
    await expect(line(page, 'Beach')).toBeVisible()
    expect(await violations(page)).toEqual([])

    await line(page, 'Summer').focus()
    await page.keyboard.press('F2')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')

    await openMenu(page, 'Summer')
    expect(await violations(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Move to…' }).click()
    await expect(page.getByRole('dialog', { name: 'Move “Summer”' })).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'New Folder' }).last().click()
    await expect(page.getByLabel('Parent Folder')).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
}
