import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import type { MediaFile } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { visitor } from '../../server/test/visitor.ts'
import { type LibraryServer, openServerHost, type ServerHost } from './server.ts'
import { type DemoName, signedIn, tokenOf } from './session.ts'

/** The demo people: one admin, two members, and two people who have to request access. */
export type PersonName = 'Ada Okafor' | 'Ben Okafor' | 'Grandma Rose' | 'Kofi Mensah' | 'Inês Duarte'

const demoNames: Record<PersonName, DemoName> = {
  'Ada Okafor': 'ada',
  'Ben Okafor': 'ben',
  'Grandma Rose': 'rose',
  'Kofi Mensah': 'kofi',
  'Inês Duarte': 'ines',
}

/**
 * Adds Ada's photos without uploading them, newest first, going back from 19 June 2024. Call it before opening a page.
 */
export type InsertPhotos = (...names: string[]) => Promise<MediaFile[]>

interface Fixtures {
  /** Additional settings of the library, as in `test.use({ environment: { APP_TITLE: 'The Okafors' } })`. */
  environment: Record<string, string>
  /** A push service on this machine, which no setting can name. */
  trustedPushOrigin: string | undefined
  library: LibraryServer
  insertPhotos: InsertPhotos
  /** Console errors that a test expects. */
  expectedLog: RegExp | undefined
  /** A new browser context without a session. Console errors and violations of the security policy fail the test. */
  newDevice: (options?: BrowserContextOptions) => Promise<Page>
  /** A new browser context in which this person is signed in. */
  deviceOf: (name: PersonName, options?: BrowserContextOptions) => Promise<Page>
}

export const test = base.extend<Fixtures, { serverHost: ServerHost }>({
  serverHost: [
    async ({ playwright: _ }, use) => {
      const host = openServerHost()
      await use(host)
      await host.close()
    },
    { scope: 'worker' },
  ],
  environment: [{}, { option: true }],
  trustedPushOrigin: [undefined, { option: true }],
  expectedLog: [undefined, { option: true }],
  library: async ({ environment, trustedPushOrigin, serverHost }, use) => {
    const library = await serverHost.startServer(environment, trustedPushOrigin)
    await use(library)
    await library.stop()
  },
  insertPhotos: async ({ library, serverHost }, use) => {
    await use(async (...names) => {
      const token = await tokenOf(library.url, 'ada')
      const photos = names.map((name, i) => {
        const dateTimeOriginal = `2024-06-${19 - i}T12:30:00+02:00`
        return { name, width: 64, height: 48, dateTimeOriginal, folderId: null }
      })
      await serverHost.insertPhotos(library, photos)
      const { files } = await visitor(new URL(library.url), token, 'straight').call(listMedia, { query: {} })
      return files
    })
  },
  newDevice: async ({ browser, library, expectedLog }, use, testInfo) => {
    const consoleErrors: string[] = []
    const failures: string[] = []
    const devices: BrowserContext[] = []
    await use(async options => {
      const device = await browser.newContext({ baseURL: library.url, ...options })
      devices.push(device)
      recordFailures(device, failures)
      return openPage(device, consoleErrors)
    })
    if (testInfo.status !== testInfo.expectedStatus) {
      const seen = await Promise.all(devices.flatMap(device => device.pages()).map(describePage))
      await testInfo.attach('failed requests and pages', { body: [...failures, ...seen].join('\n') })
    }
    const unexpected = consoleErrors.filter(consoleError => expectedLog?.test(consoleError) !== true)
    // Left open, their pages would keep polling a stopped server and slow down later tests.
    await Promise.all(devices.map(device => device.close()))
    expect(unexpected).toEqual([])
  },
  deviceOf: async ({ library, newDevice }, use) => {
    await use(async (name, options) => {
      const token = await tokenOf(library.url, demoNames[name])
      const page = await newDevice({ ...signedIn(library.url, token), ...options })
      await page.goto('/')
      await expect(page).toHaveURL('/')
      return page
    })
  },
})

export { expect }

async function openPage(device: BrowserContext, consoleErrors: string[]): Promise<Page> {
  const page = await device.newPage()
  page.on('pageerror', error => consoleErrors.push(`${page.url()}: ${error.message}`))
  page.on('console', message => {
    // The browser logs every failed request as an error; tests check what the page makes of it.
    const isRefusal = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRefusal) consoleErrors.push(`${page.url()}: ${message.text()}`)
  })
  return page
}

/** Records failed requests and error responses, for the report of a failed test. */
function recordFailures(device: BrowserContext, failures: string[]): void {
  device.on('response', answer => {
    if (answer.status() >= 400) failures.push(`${answer.status()} ${answer.request().method()} ${answer.url()}`)
  })
  device.on('requestfailed', request => {
    failures.push(`${request.failure()?.errorText} ${request.method()} ${request.url()}`)
  })
}

/** The accessibility tree and the focus of a page, for the report of a failed test. */
async function describePage(page: Page): Promise<string> {
  const focused = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200)).catch(String)
  return [page.url(), `focus: ${focused}`, await page.locator('body').ariaSnapshot().catch(String)].join('\n')
}

/** Signs in through the login page and the demo provider. The test checks where it ends. */
export async function signIn(page: Page, name: PersonName): Promise<void> {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name }).click()
  // Navigating away before the last redirect would lose the session.
  await page.waitForURL(({ pathname }) => !/^\/(demo|auth)\//.test(pathname))
}

/** Reloads the page without live events: what others change is not shown. */
export async function withoutLiveEvents(page: Page): Promise<void> {
  await page.context().route('**/api/events', route => route.abort())
  await page.reload()
}

export function rowOf(page: Page, name: PersonName) {
  return page.getByRole('listitem').filter({ hasText: name })
}

/** Answers the open confirmation and resolves to its question. Its safe button has the focus. */
export async function answer(page: Page, accept: boolean): Promise<string> {
  const dialog = page.getByRole('alertdialog')
  const question = await dialog.locator('p').textContent()
  const buttons = dialog.getByRole('button')
  await expect(buttons.first()).toBeFocused()
  await (accept ? buttons.last() : buttons.first()).click()
  await expect(dialog).toHaveCount(0)
  return question ?? ''
}

export function toast(page: Page, text: string) {
  return page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })
}

/** Keeps a toast open by hovering over it, so that a slow machine has time for what follows. */
export async function waitWithPointerOn(page: Page, text: string): Promise<void> {
  // Forced, since another toast may cover this one: the list pauses as a whole, and then shows itself as expanded.
  await expect(async () => {
    await toast(page, text).first().hover({ force: true })
    await expect(page.locator('[data-sonner-toast][data-expanded="true"]').first()).toBeVisible({ timeout: 1_000 })
  }).toPass()
}

/** Waits for the focus first: on a slow machine a dialog opens late, and the typed letters would be lost. */
export async function typeInFocusedField(page: Page, text: string): Promise<void> {
  await expect(page.locator(':is(input, textarea):focus')).toBeVisible()
  await page.keyboard.type(text)
}
