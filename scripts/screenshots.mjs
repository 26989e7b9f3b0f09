// `npm run screenshots`: makes the pictures of README (docs/images) from a library of made-up photos, with Chromium.
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './lib/install.mjs'
import { Failure, inProject, projectNode, serverArguments } from './lib/project.mjs'
import { main, run } from './lib/run.mjs'
import { findChromium } from './lib/system.mjs'
import { ensureWebBuilt } from './lib/web.mjs'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

await main(async () => {
  await ensureInstalled()
  await ensureWebBuilt()
  await withLibrary({ count: 300, pictures: 60 }, takeScreenshots)
  // Of many journeys.
  await withLibrary({ count: 3000, pictures: 30 }, shootMap)
  return 0
})

/** @typedef {{ browser: import('@playwright/test').Browser, context: import('@playwright/test').BrowserContextOptions, folder: string }} Around */

/**
 * Starts a server with a library of made-up photos, and a browser.
 * @param {{ count: number, pictures: number }} size
 * @param {(around: Around) => Promise<void>} take
 */
async function withLibrary({ count, pictures }, take) {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-screenshots-'))
  const port = String(await freePort())
  const env = { DATA_DIR: join(folder, 'data'), PORT: port }
  try {
    const seed = [inProject('server', 'src', 'cli', 'main.ts'), 'seed', folder]
    const { code } = await run(projectNode(), [...seed, '--count', String(count), '--pictures', String(pictures)], {
      env,
      endsWithUs: true,
    })
    if (code !== 0) throw new Failure('There are no made-up photos.')
    const server = spawn(projectNode(), serverArguments, {
      cwd: inProject(),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    try {
      const baseURL = `http://127.0.0.1:${port}`
      await untilReady(baseURL)
      const browser = await launchBrowser()
      const context = {
        baseURL,
        locale: 'en-GB',
        timezoneId: 'Europe/London',
        reducedMotion: /** @type {const} */ ('reduce'),
      }
      try {
        await take({ browser, context, folder })
      } finally {
        await browser.close()
      }
    } finally {
      server.kill()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function launchBrowser() {
  // Imported here, because this file also runs before the dependencies are installed.
  const { chromium } = await import('@playwright/test')
  const chromiumPath = findChromium()
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
}

/**
 * Photos that are not in the library yet, made from some that are.
 * @param {string} folder
 */
async function newPhotos(folder) {
  const { default: sharp } = await import('sharp')
  const originals = join(folder, 'data', 'files', 'originals')
  const names = await readdir(originals, { recursive: true })
  const chosen = names.filter(name => name.endsWith('.jpg')).slice(-120)
  const photos = chosen.filter((_, i) => i % 8 === 0).map((name, i) => ({ from: join(originals, name), i }))
  return Promise.all(
    photos.map(async ({ from, i }) => {
      const path = join(folder, `IMG_${4021 + i * 3}.jpg`)
      await sharp(from).rotate().modulate({ brightness: 1.03 }).jpeg({ quality: 95 }).toFile(path)
      return path
    }),
  )
}

/** @param {Around} around */
async function takeScreenshots({ browser, context, folder }) {
  const page = await browser.newPage({ ...context, viewport: desktop })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
  await shoot(page, 'login')
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await page.getByRole('button', { name: 'Ada Okafor' }).click()
  await untilPhotosShown(page)
  const storageState = await page.context().storageState()

  // Without the toast of the sign-in.
  await page.reload()
  await untilPhotosShown(page)
  await shoot(page, 'gallery')
  await shootForInstalling(page, 'desktop')
  await page.locator('[data-index="3"]').click()
  await page.locator('img[data-shown]').waitFor()
  await shoot(page, 'viewer')
  await page.goto('/albums')
  await page.getByRole('link', { name: /For the hall/ }).click()
  await untilPhotosShown(page)
  await shoot(page, 'album')
  await page.goto('/admin')
  await page.getByText('Version').waitFor()
  await shoot(page, 'admin')
  await page.goto('/')
  await page.getByRole('button', { name: 'Upload Files' }).click()
  const upload = page.getByRole('dialog', { name: 'Upload Media Files' })
  await upload
    .locator('input[type=file]')
    .first()
    .setInputFiles(await newPhotos(folder))
  await upload.getByRole('button', { name: /^Upload \d/ }).click()
  await upload.getByText('Uploaded').nth(3).waitFor({ timeout: 120_000 })
  await shoot(page, 'upload')
  await upload.getByRole('button', { name: 'Done' }).click({ timeout: 300_000 })

  const onPhone = await browser.newPage({ ...context, storageState, viewport: phone, hasTouch: true, isMobile: true })
  await onPhone.goto('/')
  await untilPhotosShown(onPhone)
  await shoot(onPhone, 'phone')
  await shootForInstalling(onPhone, 'phone')
  await fillChat(browser, context, page)
  await onPhone.reload()
  await onPhone.getByRole('button', { name: /^Chat/ }).click()
  await onPhone.getByRole('button', { name: /Summer at the lake/ }).click()
  await onPhone.locator('.chat-log img').waitFor()
  await onPhone.getByText('I’ll bring the cake').waitFor()
  await shoot(onPhone, 'chat')
}

/** @param {Around} around */
async function shootMap({ browser, context }) {
  const page = await browser.newPage({ ...context, viewport: desktop })
  await page.goto('/auth/google')
  await page.getByRole('button', { name: 'Ada Okafor' }).click()
  await page.waitForURL('/')
  await page.goto('/map')
  await page.getByRole('list', { name: 'In view' }).getByRole('listitem').first().waitFor()
  // Nothing in the page says when the map has drawn its pictures.
  await page.waitForTimeout(5000)
  await shoot(page, 'map')
}

/**
 * A group chat with a photo, written by several people.
 * @param {import('@playwright/test').Browser} browser
 * @param {import('@playwright/test').BrowserContextOptions} context
 * @param {import('@playwright/test').Page} adas
 */
async function fillChat(browser, context, adas) {
  /** @param {string} name */
  const openAs = async name => {
    const page = await browser.newPage({ ...context, viewport: desktop })
    await page.goto('/auth/google')
    await page.getByRole('button', { name }).click()
    await page.waitForURL('/')
    return page
  }
  const [bens, roses] = [await openAs('Ben Okafor'), await openAs('Grandma Rose')]
  /** @type {{ id: number, username: string }[]} */
  const people = await request(adas, 'GET', '/api/users')
  const participantIds = ['ben', 'rose'].map(name => people.find(person => person.username === name)?.id)
  /** @type {{ files: { id: number, width: number, height: number }[] }} */
  const { files } = await request(adas, 'GET', '/api/media?type=image&limit=40')
  const photo = files.findLast(({ width, height }) => width > height)
  const { id } = await request(adas, 'POST', '/api/conversations/group', {
    title: 'Summer at the lake',
    participantIds,
  })
  /** @param {import('@playwright/test').Page} page @param {object} message */
  const say = (page, message) => request(page, 'POST', `/api/messages/${id}`, message)
  await say(adas, { content: 'Who is coming to the lake in July?' })
  await say(bens, { content: 'All of us! Remember this evening?', media_id: photo?.id })
  await say(roses, { content: 'Such a calm night. Your grandfather was at the oars, @ada.' })
  await say(adas, { content: 'Then we bring the old projector and look at the slides again.' })
  await say(roses, { content: 'I’ll bring the cake.' })
  await Promise.all([bens.close(), roses.close()])
}

/**
 * Calls the API as the person who is signed in on this page.
 * @param {import('@playwright/test').Page} page
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function request(page, method, path, body) {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  const answer = await page.request.fetch(path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { data: body }),
  })
  if (!answer.ok()) throw new Failure(`${method} ${path} answered ${answer.status()}.`)
  return answer.json()
}

/** @param {import('@playwright/test').Page} page @param {string} name */
async function shoot(page, name) {
  await page.screenshot({ path: inProject('docs', 'images', `${name}.png`) })
}

/**
 * What the browser shows before it installs the page as an app.
 * @param {import('@playwright/test').Page} page
 * @param {string} name
 */
async function shootForInstalling(page, name) {
  const path = inProject('web', 'public', 'screenshots', `${name}.jpg`)
  await page.screenshot({ path, type: 'jpeg', quality: 75 })
}

/** @param {import('@playwright/test').Page} page */
async function untilPhotosShown(page) {
  for (let i = 0; i < 12; i++) await page.locator(`[data-index="${i}"] img[data-loaded]`).waitFor()
}

/** @param {string} origin */
async function untilReady(origin) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const answer = await fetch(`${origin}/healthz`).catch(() => null)
    if (answer?.ok) return
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Failure('The server did not start.')
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const socket = createServer().once('error', reject)
    socket.listen(0, '127.0.0.1', () => {
      const address = socket.address()
      socket.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
