import type { Locator, Page } from '@playwright/test'
import { sharedFiles } from '#contract/limits.ts'
import { expect, signIn, test, toast } from './support/family.ts'
import { choose, filesInLibrary, openDialog, photo, row } from './support/upload.ts'

/** What other apps and websites send to the address of the share menu, and files that are pasted or opened. */
const withWorker = { serviceWorkers: 'allow', viewport: { width: 390, height: 844 } } as const
const note = 'Shared from another app on this device'

const dialogOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Upload Media Files' })

/** Until the service worker answers the pages of this device. */
async function control(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

/** Sends the form of the share menu, by default from a page of another website. */
async function share(
  page: Page,
  url: string,
  files: Parameters<Locator['setInputFiles']>[0],
  elsewhere = 'http://elsewhere.example/',
): Promise<void> {
  const action = new URL('/share-target', url)
  const form = `<form method="post" enctype="multipart/form-data" action="${action}">
    <input name="title" value="Holiday"><input type="file" name="files" multiple><button>Share</button></form>`
  await page.route(elsewhere, route => route.fulfill({ contentType: 'text/html', body: form }))
  await page.goto(elsewhere)
  await page.locator('input[type=file]').setInputFiles(files)
  await page.getByRole('button', { name: 'Share' }).click()
}

/** Names of the files that wait on this device. */
const waiting = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('heirloom-shared-files')
        opening.onerror = () => reject(opening.error)
        opening.onupgradeneeded = () => opening.result.createObjectStore('shared')
        opening.onsuccess = () => {
          const database = opening.result
          const reading = database.transaction('shared').objectStore('shared').get('latest')
          reading.onsuccess = () => {
            database.close()
            resolve((reading.result?.files ?? []).map((file: File) => file.name))
          }
        }
      }),
  )

test('shared photos wait in the upload dialog, also after a reload, and are uploaded by a tap only', async ({
  deviceOf,
  library,
}) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  const sent: string[] = []
  page.context().on('request', request => {
    if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
  })
  await share(page, library.url, [await photo('beach.jpg'), await photo('garden.jpg')])
  const dialog = dialogOf(page)
  await expect(dialog.getByText(note)).toBeVisible()
  await expect(row(dialog, 'beach.jpg')).toContainText('Ready')
  await expect(row(dialog, 'garden.jpg')).toContainText('Ready')

  await page.reload()
  await expect(dialog.getByText(note)).toBeVisible()
  await expect(row(dialog, 'beach.jpg')).toContainText('Ready')
  expect(sent.filter(path => path.startsWith('/api/media/upload'))).toEqual([])
  expect(await filesInLibrary(page)).toEqual([])

  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  expect((await filesInLibrary(page)).map(file => file.original_name)).toEqual(['beach.jpg', 'garden.jpg'])
  await expect.poll(() => waiting(page)).toEqual([])
  await expect(page).toHaveURL('/')
})

test('shared photos that could not be uploaded are still there after a reload', async ({ deviceOf, library }) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  await share(page, library.url, [await photo('beach.jpg'), await photo('garden.jpg')])
  const dialog = dialogOf(page)
  await expect(row(dialog, 'garden.jpg')).toContainText('Ready')
  let calls = 0
  const full = { status: 507, json: { error: 'The library has no room left.', code: 'storage_full' } }
  await page.route('**/api/media/upload', route => (calls++ === 0 ? route.fulfill(full) : route.continue()))
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Processed 1 file, 1 failed')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  expect(await waiting(page)).toEqual(['beach.jpg', 'garden.jpg'])

  await page.reload()
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(async () => (await filesInLibrary(page)).length).toBe(2)
  await expect.poll(() => waiting(page)).toEqual([])
  await expect(page).toHaveURL('/')
})

test('the next share replaces the one before, and Cancel erases it', async ({ deviceOf, library }) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  await share(page, library.url, await photo('beach.jpg'))
  await expect(row(dialogOf(page), 'beach.jpg')).toBeVisible()
  await share(page, library.url, await photo('garden.jpg'))
  const dialog = dialogOf(page)
  await expect(row(dialog, 'garden.jpg')).toBeVisible()
  await expect(row(dialog, 'beach.jpg')).toHaveCount(0)
  expect(await waiting(page)).toEqual(['garden.jpg'])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => waiting(page)).toEqual([])
  await expect(page).toHaveURL('/')
})

test('what is no photo is refused, and a share without files opens the dialog to choose some', async ({
  deviceOf,
  library,
}) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') }
  await share(page, library.url, [text])
  await expect(row(dialogOf(page), 'notes.txt')).toContainText('This file is neither a photo nor a video')
  await share(page, library.url, [])
  await expect(toast(page, 'No photos or videos were shared. Choose them here instead.')).toBeVisible()
  await expect(dialogOf(page)).toBeVisible()
})

test('more files than can wait are left out, and the dialog says how many', async ({ deviceOf, library }) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  const { buffer } = await photo('many.jpg')
  const many = Array.from({ length: sharedFiles.max + 2 }, (_, i) => ({
    name: `${i}.jpg`,
    mimeType: 'image/jpeg',
    buffer,
  }))
  await share(page, library.url, many)
  await expect(dialogOf(page)).toContainText('2 files were too much at once')
  expect(await waiting(page)).toHaveLength(sharedFiles.max)
})

test('shared photos wait for the person whose session has expired, and for nobody else', async ({
  deviceOf,
  library,
}) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  // The device knows whose it is as soon as it has saved an answer.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('session_person'))).not.toBeNull()
  await page.waitForTimeout(1_500)
  const expire = () => page.evaluate(() => localStorage.removeItem('auth_token'))
  await expire()
  await share(page, library.url, await photo('beach.jpg'))
  await expect(page).toHaveURL('/login')
  expect(await waiting(page)).toEqual(['beach.jpg'])
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Ben Okafor' }).click()
  await expect(row(dialogOf(page), 'beach.jpg')).toBeVisible()

  await expire()
  await share(page, library.url, await photo('secret.jpg'))
  await expect(page).toHaveURL('/login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Grandma Rose' }).click()
  await expect(toast(page, 'The shared files are no longer on this device. Share them once more.')).toBeVisible()
  await expect(page.getByText('secret.jpg')).toHaveCount(0)
  expect(await waiting(page)).toEqual([])
})

test('signing out erases what was shared', async ({ deviceOf, library }) => {
  const page = await deviceOf('Ben Okafor', { ...withWorker, viewport: { width: 1440, height: 900 } })
  await control(page)
  await share(page, library.url, await photo('beach.jpg'))
  await dialogOf(page).getByRole('button', { name: 'Close' }).click()
  expect(await waiting(page)).toEqual(['beach.jpg'])
  await page.getByRole('button', { name: 'Log out' }).click()
  const question = page.getByRole('alertdialog', { name: 'Log out before everything is uploaded?' })
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => waiting(page)).toEqual([])
})

test('what was shared an hour ago is erased when a page is opened', async ({ deviceOf, library }) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  await share(page, library.url, await photo('beach.jpg'))
  await expect(row(dialogOf(page), 'beach.jpg')).toBeVisible()
  await page.evaluate(
    kept =>
      new Promise<void>(resolve => {
        const opening = indexedDB.open('heirloom-shared-files')
        opening.onsuccess = () => {
          const store = opening.result.transaction('shared', 'readwrite').objectStore('shared')
          const reading = store.get('latest')
          reading.onsuccess = () => {
            store.put({ ...reading.result, at: Date.now() - kept - 1 }, 'latest').onsuccess = () => {
              opening.result.close()
              resolve()
            }
          }
        }
      }),
    sharedFiles.keptFor,
  )
  await page.goto('/settings')
  await expect.poll(() => waiting(page)).toEqual([])
})

test('without a service worker the server keeps nothing, and the page says what to do', async ({
  deviceOf,
  library,
}) => {
  const page = await deviceOf('Ben Okafor')
  // The demo refuses forms of other websites.
  await share(page, library.url, await photo('beach.jpg'), `${library.url}/elsewhere`)
  await expect(page.getByText('The shared files did not arrive')).toBeVisible()
  await expect(dialogOf(page)).toBeVisible()
  expect(await filesInLibrary(page)).toEqual([])
})

test('the shortcuts of the installed app open the upload dialog and the chat', async ({ newDevice }) => {
  const page = await newDevice({ locale: 'en-GB' })
  await signIn(page, 'Ben Okafor')
  await page.goto('/?upload=')
  await expect(dialogOf(page)).toBeVisible()
  await expect(page).toHaveURL('/')
  await page.goto('/?chat=')
  await expect(page.getByRole('dialog', { name: 'Chat' })).toBeVisible()
  await expect(page).toHaveURL('/')
})

test('pictures pasted into the gallery are in the upload dialog once, and text is not', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor')
  const { buffer } = await photo('image.jpg')
  const paste = (target: string, bytes: readonly number[]) =>
    page.locator(target).evaluate((element, bytes) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', 'words')
      if (bytes.length > 0)
        clipboardData.items.add(new File([Uint8Array.from(bytes)], 'image.jpg', { type: 'image/jpeg' }))
      element.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }))
    }, bytes)
  await paste('main', [])
  await expect(dialogOf(page)).toHaveCount(0)
  await paste('main', [...buffer])
  await expect(row(dialogOf(page), 'image.jpg')).toHaveCount(1)
  await expect(row(dialogOf(page), 'image.jpg')).toContainText('Ready')
  expect(await filesInLibrary(page)).toEqual([])
})

test('files that were opened with the installed app are in the upload dialog', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor')
  const { buffer } = await photo('beach.jpg')
  // The launch itself needs an installed app. The handles are real ones, of the private file system of the page.
  await openWithApp(page, buffer)
  await page.reload()
  await expect(row(dialogOf(page), 'beach.jpg')).toContainText('Ready')
})

test('files that were opened before a sign-in are in the upload dialog after it', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor')
  // The device knows whose it is as soon as it has saved an answer.
  await expect.poll(() => page.evaluate(() => localStorage.getItem('session_person'))).not.toBeNull()
  await page.waitForTimeout(1_500)
  await page.evaluate(() => localStorage.removeItem('auth_token'))
  const { buffer } = await photo('beach.jpg')
  await openWithApp(page, buffer)
  await page.goto('/')
  await expect(page).toHaveURL('/login')
  // The page is loaded again once they are kept.
  await expect(async () => expect(await waiting(page)).toEqual(['beach.jpg'])).toPass()
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Ben Okafor' }).click()
  await expect(row(dialogOf(page), 'beach.jpg')).toContainText('Ready')
})

/** Once, at the next page. */
async function openWithApp(page: Page, buffer: Buffer): Promise<void> {
  await page.addInitScript(
    bytes => {
      const opened = async () => {
        if (sessionStorage.getItem('launched') !== null) return { files: [] }
        sessionStorage.setItem('launched', 'once')
        const folder = await navigator.storage.getDirectory()
        const handle = await folder.getFileHandle('beach.jpg', { create: true })
        const writer = await handle.createWritable()
        await writer.write(Uint8Array.from(bytes))
        await writer.close()
        return { files: [handle] }
      }
      const setConsumer = (consume: (params: object) => void) => void opened().then(consume)
      Object.defineProperty(window, 'launchQueue', { value: { setConsumer } })
    },
    [...buffer],
  )
}

test('files added by hand beside shared ones are uploaded with them', async ({ deviceOf, library }) => {
  const page = await deviceOf('Ben Okafor', withWorker)
  await control(page)
  await share(page, library.url, await photo('beach.jpg'))
  await expect(row(dialogOf(page), 'beach.jpg')).toBeVisible()
  await choose(dialogOf(page), await photo('garden.jpg'))
  await dialogOf(page).getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  await expect(page).toHaveURL('/')
  await dialogOf(page).getByRole('button', { name: 'Done' }).click()
  await openDialog(page)
  await expect(page.getByText(note)).toHaveCount(0)
})
