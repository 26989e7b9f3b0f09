import type { Page } from '@playwright/test'
import { rateLimits } from '#contract/limits.ts'
import { expect, rowOf, signIn, test, toast, withoutLiveEvents } from './support/family.ts'
import { keptAnswers } from './support/kept-answers.ts'
import { tokenOf } from './support/session.ts'

test('the login page shows the name of the library, and every failed return from the provider its error', async ({
  newDevice,
}) => {
  const page = await newDevice()
  await test.step('the login page shows the name of the library and how to sign in', async () => {
    await page.goto('/login')
    await expect(page).toHaveTitle('Sign in · Heirloom')
    await expect(page.getByRole('heading', { name: 'Heirloom' })).toBeVisible()
    for (const text of [
      'Sign in to your account',
      'Securely manage your photos and videos',
      'Continue with Google',
      'Secure authentication with Google',
    ]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible()
    }
    await expect(page.getByText(/stored securely on your family's own server/)).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await page.goto('/login?error=whatever')
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
  await test.step('every failed return from the provider shows an error', async () => {
    await page.goto('/auth/callback?error=provider_failed')
    await expect(page).toHaveURL('/login')
    await expect(toast(page, 'Authentication failed. Please try again.')).toBeVisible()

    await page.goto('/auth/callback')
    await expect(page).toHaveURL('/login')
    await expect(toast(page, 'No authentication token received.')).toBeVisible()

    for (const token of ['a-token-that-somebody-made-up', '%E2%82%AC', '%0A', 'x']) {
      await page.goto(`/auth/callback?token=${token}`)
      await expect(page).toHaveURL('/login')
      await expect(toast(page, 'Authentication failed. Please try again.')).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
      expect(await page.evaluate(() => sessionStorage.getItem('sign_in_token'))).toBeNull()
    }

    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(page).toHaveURL('/login')
    await expect(toast(page, 'Authentication failed. Please try again.')).toBeVisible()
  })
})

test.describe('with other settings', () => {
  test.use({ environment: { APP_TITLE: 'The Okafors', CONTACT_NAME: 'Auntie Bisi', ADMIN_NAME: 'Ada' } })

  test('the login page shows the configured title and contact', async ({ newDevice }) => {
    const page = await newDevice()
    await page.goto('/login?error=pending_approval')
    await expect(page.getByRole('heading', { name: 'The Okafors' })).toBeVisible()
    const call = 'Call Auntie Bisi and ask her to let Ada know you are trying to get in'
    await expect(page.getByText(call, { exact: true })).toBeVisible()
    await expect(page).toHaveTitle('Sign in · The Okafors')
  })
})

test('a member signs in and out, the token is in no address, and another person signs in', async ({ newDevice }) => {
  const page = await newDevice()
  await test.step('a member signs in, sees the navigation and signs out', async () => {
    await signIn(page, 'Ben Okafor')
    await expect(page).toHaveURL('/')
    await expect(toast(page, 'Successfully signed in!')).toBeVisible()
    // Wait until the toast is gone: it covers controls that are clicked below.
    await expect(toast(page, 'Successfully signed in!')).toBeHidden()

    const bar = page.getByRole('banner')
    await expect(bar.getByRole('link', { name: 'Heirloom' })).toHaveAttribute('href', '/')
    await expect(bar.getByRole('link', { name: 'Gallery' })).toBeVisible()
    await expect(bar.getByRole('button', { name: 'Upload' })).toBeVisible()
    await expect(bar.getByRole('link', { name: 'Admin' })).toHaveCount(0)
    await expect(bar.getByText('Ben Okafor')).toBeVisible()
    await bar.getByRole('button', { name: /^Notifications/ }).click()
    await expect(page.getByText("You're in").first()).toBeVisible()
    await page.getByRole('dialog', { name: 'Notifications' }).getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('No notifications yet', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Chat' }).click()
    await expect(page.getByText('No conversations yet', { exact: true })).toBeVisible()
    await expect(page.getByText('Start a conversation with family members!', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')

    const token = await page.evaluate(() => localStorage.getItem('auth_token'))
    expect(token).toMatch(/^[\w-]{43}$/)
    await page.goto('/login')
    await expect(page).toHaveURL('/')

    await bar.getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
    const answer = await page.request.get('/auth/me', { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status()).toBe(401)
  })
  await test.step('the token is neither in the address bar nor in the history', async () => {
    await signIn(page, 'Ben Okafor')
    await expect(page).toHaveURL('/')
    const token = (await page.evaluate(() => localStorage.getItem('auth_token'))) ?? 'none'
    const session = await page.context().newCDPSession(page)
    const { entries } = await session.send('Page.getNavigationHistory')
    expect(entries.map(({ url }) => url).filter(url => url.includes(token) || url.includes('token='))).toEqual([])
    // Going back skips the provider's page, where the sign-in is already complete.
    await page.goBack()
    await expect(page).toHaveURL('/')
  })
  await test.step('Ada signs out and Ben signs in on the same device', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
    for (const name of ['Ada Okafor', 'Ben Okafor'] as const) {
      await signIn(page, name)
      await expect(page).toHaveURL('/')
      await expect(page.getByRole('banner').getByText(name)).toBeVisible()
      await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
      await expect(page).toHaveURL('/login')
    }
  })
})

test('the sign-in link of another person does not change who is signed in', async ({
  deviceOf,
  newDevice,
  library,
}) => {
  const bens = await deviceOf('Ben Okafor')
  const before = await bens.evaluate(() => localStorage.getItem('auth_token'))
  const attackers = await tokenOf(library.url, 'rose')
  for (const token of [attackers, 'a-token-that-somebody-made-up', '%E2%82%AC']) {
    await bens.goto(`/auth/callback?token=${token}`)
    await expect(toast(bens, 'Authentication failed. Please try again.')).toBeVisible()
    await expect(bens).toHaveURL('/')
    await expect(bens.getByRole('banner').getByText('Ben Okafor')).toBeVisible()
    expect(await bens.evaluate(() => localStorage.getItem('auth_token'))).toBe(before)
  }

  // Login CSRF also fails in a browser that has just started its own sign-in.
  const other = await newDevice()
  await other.goto('/login')
  await other.getByRole('button', { name: 'Continue with Google' }).click()
  await expect(other.getByRole('button', { name: 'Ben Okafor' })).toBeVisible()
  await other.goto(`/auth/callback?token=${attackers}`)
  await expect(other).toHaveURL('/login')
  await expect(toast(other, 'Authentication failed. Please try again.')).toBeVisible()
  expect(await other.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
})

test('a sign-in whose confirmation is lost continues after a reload or by Try again', async ({ newDevice }) => {
  const page = await newDevice()
  await test.step('a page reloaded before its sign-in is confirmed continues', async () => {
    let held = 0
    await page.route('**/auth/google/confirm', route => (held++ === 0 ? undefined : route.continue()))
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Ben Okafor' }).click()
    await expect.poll(() => held).toBe(1)
    await page.reload()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('banner').getByText('Ben Okafor')).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.getItem('sign_in_token'))).toBeNull()
  })
  await test.step('a sign-in that cannot be confirmed can be retried', async () => {
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click()
    await page.unrouteAll()
    await page.route('**/auth/google/confirm', route => route.abort())
    await page.goto('/login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Ben Okafor' }).click()
    await expect(page.getByRole('heading', { name: 'We can’t reach your library' })).toBeVisible()
    await page.unroute('**/auth/google/confirm')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page).toHaveURL('/')
  })
})

test('too many sign-in attempts show an error page', async ({ newDevice, library }) => {
  const page = await newDevice()
  // Retried, because the rate limit resets when a new minute starts.
  await expect(async () => {
    for (let begun = 0; begun < rateLimits.signIn; begun++) {
      await fetch(new URL('/auth/google', library.url), { redirect: 'manual' })
    }
    await page.goto('/auth/google')
    await expect(page).toHaveURL('/login?error=too_many_attempts', { timeout: 500 })
  }).toPass()
  await expect(page.getByRole('alert')).toContainText('Too many attempts to sign in. Please wait a minute')
})

test('a toast is at the top right and disappears after four seconds', async ({ newDevice }) => {
  const page = await newDevice({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(watchToasts)
  await page.goto('/auth/callback')
  const message = toast(page, 'No authentication token received.')
  await expect(message).toBeVisible()
  const box = await message.boundingBox()
  expect(box?.x).toBeGreaterThan(1440 / 2)
  expect(box?.y).toBeLessThan(900 / 4)
  await expect(message).toHaveCount(0)
  const lasted = await page.evaluate(() => Number(document.documentElement.dataset.toastLasted))
  expect(lasted).toBeGreaterThan(3_900)
  if (process.env.LONG) expect(lasted).toBeLessThan(8_000)
})

test('visitors are redirected to the login page, and after signing in to the requested page', async ({
  newDevice,
  deviceOf,
}) => {
  const page = await newDevice()
  await test.step('after signing in, the requested page opens', async () => {
    await page.goto('/admin?tab=denied')
    await expect(page).toHaveURL('/login')
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('button', { name: 'Ada Okafor' }).click()
    await expect(page).toHaveURL('/admin?tab=denied')
  })
  await test.step('visitors are redirected to the login page, and unknown pages to the start page', async () => {
    const stranger = await newDevice()
    for (const path of ['/', '/admin', '/no/such/page']) {
      await stranger.goto(path)
      await expect(stranger).toHaveURL('/login')
    }
    const bens = await deviceOf('Ben Okafor')
    await bens.goto('/no/such/page?at=all')
    await expect(bens).toHaveURL('/')
  })
})

test('a session ended elsewhere leads to the login page at once, from every page', async ({ deviceOf }) => {
  const device = await deviceOf('Ada Okafor')
  await device.goto('/admin')
  await expect(device.getByRole('tab', { name: 'Pending' })).toBeVisible()
  await endSession(device)
  await expect(device).toHaveURL('/login')
  expect(await device.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
})

test('without the live stream, a session ended elsewhere is noticed with the next request', async ({
  newDevice,
  deviceOf,
}) => {
  await signIn(await newDevice(), 'Kofi Mensah')
  const [reading, acting] = [await deviceOf('Ada Okafor'), await deviceOf('Ada Okafor')]
  for (const device of [reading, acting]) {
    await device.goto('/admin')
    await withoutLiveEvents(device)
    await expect(rowOf(device, 'Kofi Mensah')).toBeVisible()
  }
  await Promise.all([reading, acting].map(endSession))
  await reading.getByRole('link', { name: 'Gallery' }).click()
  await acting.getByRole('button', { name: 'Approve' }).click()
  for (const device of [reading, acting]) {
    await expect(device).toHaveURL('/login')
    expect(await device.evaluate(() => localStorage.getItem('auth_token'))).toBeNull()
  }
})

/** As if the person had logged out on another device with the same session. */
async function endSession(device: Page): Promise<void> {
  const token = await device.evaluate(() => localStorage.getItem('auth_token'))
  await device.request.post('/auth/logout', { headers: { authorization: `Bearer ${token}` } })
}

test('nobody is signed out while the server is unreachable', async ({ deviceOf }) => {
  const bens = await deviceOf('Ben Okafor')
  await expect(bens.getByText('No photos or videos yet')).toBeVisible()
  await expect.poll(() => keptAnswers(bens)).toContain('/api/start?proportions=')
  const requests = /\/auth\/|\/api\/|\/healthz/
  await bens.route(requests, route => route.abort())
  await bens.reload()
  // What this device has kept is shown.
  await expect(bens.getByText('No photos or videos yet')).toBeVisible()
  await bens.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name)
  })
  await bens.reload()
  await expect(bens.getByRole('heading', { name: 'We can’t reach your library' })).toBeVisible()
  await bens.unroute(requests)
  await bens.getByRole('button', { name: 'Try again' }).click()
  await expect(bens.getByText('Shared family photos and videos')).toBeVisible()
})

/** Runs inside the page, to measure with its clock how long a toast was visible. */
function watchToasts(): void {
  let since: number | undefined
  const watch = () => {
    const shown = document.querySelector('[data-sonner-toast]') !== null
    if (shown) since ??= performance.now()
    else if (since !== undefined) document.documentElement.dataset.toastLasted ??= String(performance.now() - since)
  }
  new MutationObserver(watch).observe(document, { childList: true, subtree: true })
}
