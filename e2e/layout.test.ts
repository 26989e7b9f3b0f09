import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { expect, rowOf, signIn, test } from './support/family.ts'

const phone = { width: 390, height: 844 }
const tablet = { width: 768, height: 1024 }
const desktop = { width: 1440, height: 900 }

/** Every screen, with the steps that open it. */
const screens: Record<string, (page: Page) => Promise<void>> = {
  'the login page': async page => {
    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  },
  'the login page with its longest notice': async page => {
    await page.goto('/login?error=pending_approval')
    await expect(page.getByRole('alert')).toBeVisible()
  },
  'the demo provider’s page': async page => {
    await page.goto('/auth/google')
    await expect(page.getByRole('heading', { name: 'Who are you today?' })).toBeVisible()
  },
  'the gallery, with a toast': async page => {
    await signIn(page, 'Ada Okafor')
    await expect(page.getByText('Successfully signed in!')).toBeVisible()
    await expect(page.getByText('Shared family photos and videos')).toBeVisible()
  },
  'the notifications': async page => {
    await page.getByRole('button', { name: 'Notifications' }).click()
    await expect(page.getByText("You're in")).toBeVisible()
  },
  'the chat': async page => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Chat' }).click()
    await expect(page.getByText('No conversations yet')).toBeVisible()
  },
  'the menu': async page => {
    await page.goto('/')
    await openMenu(page)
  },
  'requests that wait': async page => {
    await page.goto('/admin')
    await expect(rowOf(page, 'Kofi Mensah')).toBeVisible()
  },
  'the family': async page => {
    await page.goto('/admin?tab=approved')
    await expect(rowOf(page, 'Ada Okafor')).toBeVisible()
  },
  'a question before revoking': async page => {
    await rowOf(page, 'Ben Okafor').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
  },
  'an empty list': async page => {
    await page.goto('/admin?tab=denied')
    await expect(page.getByText('No denied users')).toBeVisible()
  },
  'a library that cannot be reached, on a device that has kept nothing of it': async page => {
    await page.addInitScript(() => void indexedDB.deleteDatabase('heirloom-device'))
    await page.route(/\/auth\/me|\/api\/start/, route => route.abort())
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'We can’t reach your library' })).toBeVisible()
    await page.unroute(/\/auth\/me|\/api\/start/)
  },
}

for (const viewport of [phone, desktop]) {
  test(`every screen fits and has no accessibility violations: ${viewport.width} pixels`, async ({ newDevice }) => {
    await signIn(await newDevice(), 'Kofi Mensah')
    await signIn(await newDevice(), 'Ben Okafor')
    const page = await newDevice({ viewport, reducedMotion: 'reduce' })
    for (const [name, open] of Object.entries(screens)) {
      await test.step(name, async () => {
        await open(page)
        expect(await overflow(page)).toBe(0)
        expect(await violations(page)).toEqual([])
      })
    }
  })
}

test(`every screen fits: ${tablet.width} pixels`, async ({ newDevice }) => {
  await signIn(await newDevice(), 'Kofi Mensah')
  await signIn(await newDevice(), 'Ben Okafor')
  const page = await newDevice({ viewport: tablet })
  for (const [name, open] of Object.entries(screens)) {
    await test.step(name, async () => {
      await open(page)
      expect(await overflow(page)).toBe(0)
    })
  }
})

test.describe('with the longest names', () => {
  const longName = 'The very extended Okafor–Duarte–Mensah family of Lagos'
  test.use({ environment: { APP_TITLE: longName, CONTACT_NAME: longName, ADMIN_NAME: 'W'.repeat(60) } })

  test('nothing is wider than a phone', async ({ newDevice }) => {
    const page = await newDevice({ viewport: phone })
    await page.goto('/login?error=pending_approval')
    await expect(page.getByRole('alert')).toBeVisible()
    expect(await overflow(page)).toBe(0)
    await signIn(page, 'Ada Okafor')
    await expect(page.getByText('Shared family photos and videos')).toBeVisible()
    expect(await overflow(page)).toBe(0)
  })
})

test('large letters fit on a phone, and rotating the screen switches to the layout of its new width', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ada Okafor', { viewport: phone })
  await test.step('rotating the screen switches to the layout of its new width', async () => {
    const wide = [
      page.getByRole('link', { name: 'Gallery' }),
      page.getByRole('button', { name: 'Log out' }),
      page.getByRole('combobox', { name: 'Sort by' }),
      page.getByRole('tree', { name: 'Folders' }),
    ]
    const narrow = ['More', 'Filters'].map(name => page.getByRole('button', { name, exact: true }))
    for (const [viewport, there, gone] of [
      [phone, narrow, wide],
      [desktop, wide, narrow],
      [phone, narrow, wide],
    ] as const) {
      await page.setViewportSize(viewport)
      for (const part of there) await expect(part).toBeVisible()
      for (const part of gone) await expect(part).toHaveCount(0)
    }
  })
  await test.step('with letters twice as large nothing is wider than a phone', async () => {
    // The browser's own setting, which media queries follow.
    const browser = await page.context().newCDPSession(page)
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    const loaded = {
      '/': page.getByText('No photos or videos yet'),
      '/admin': page.getByText('The library', { exact: true }),
    }
    for (const [path, part] of Object.entries(loaded)) {
      await page.goto(path)
      await expect(part).toBeVisible()
      expect((await page.getByRole('navigation').last().boundingBox())?.width).toBe(phone.width)
      // Unfolds the figures of the admin page.
      await part.click()
      expect(await overflow(page)).toBe(0)
    }
    await expect(page.getByText('Version')).toBeVisible()
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 16 } })
  })
  await test.step('tabs beyond the edge fade until they are scrolled into view', async () => {
    await page.setViewportSize(desktop)
    await page.goto('/admin')
    const tabs = page.getByRole('tablist')
    const fade = () => tabs.evaluate(list => Number.parseFloat(getComputedStyle(list).getPropertyValue('--beyond')))
    await expect.poll(fade).toBe(0)
    await page.setViewportSize(phone)
    await expect.poll(fade).toBeGreaterThan(40)
    await page.getByRole('tab', { name: 'Activity' }).scrollIntoViewIfNeeded()
    await expect.poll(fade).toBeLessThan(1)
  })
})

test('no page violates its own content security policy', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor')
  const forbidden: string[] = []
  await page.exposeFunction('noteForbidden', (what: string) => forbidden.push(what))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      (window as unknown as { noteForbidden(what: string): void }).noteForbidden(`${violatedDirective} ${blockedURI}`),
    )
  })
  for (const path of ['/', '/admin']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(forbidden).toEqual([])
})

test.describe('a script added to the page', () => {
  test.use({ expectedLog: /Executing inline script violates/ })

  test('an injected inline script does not run', async ({ deviceOf }) => {
    const page = await deviceOf('Ada Okafor')
    // Added to the page on its way, as somebody would who could write into it.
    await page.route('/admin', async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace('</head>', '<script>window.foreign = true</script></head>')
      await route.fulfill({ response, body })
    })
    await page.goto('/admin')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.evaluate(() => 'foreign' in window)).toBe(false)
  })
})

test('on a phone all controls are large enough to touch, and a tab bar replaces the top bar', async ({ newDevice }) => {
  const page = await newDevice({ viewport: phone, hasTouch: true, isMobile: true })
  await signIn(page, 'Ada Okafor')
  await expect(page.getByText('Shared family photos and videos')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeHidden()
  await openMenu(page)
  for (const name of ['Admin', 'About', 'Log out']) {
    await expect(page.getByRole('menuitem', { name })).toBeVisible()
  }
  // Wait for the opening animation, which scales the menu.
  await page.getByRole('menu').evaluate(menu => Promise.all(menu.getAnimations().map(({ finished }) => finished)))
  expect(await tooSmallToTouch(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Log out' }).tap()
  await expect(page).toHaveURL('/login')
})

test('the theme is followed and chosen, and of stacked toasts only the first is legible', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { colorScheme: 'light' })
  await test.step('the theme follows the system until a person chooses one, which is remembered', async () => {
    const light = await paper(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(() => paper(page)).not.toBe(light)

    await page.getByRole('button', { name: 'Ben Okafor' }).click()
    await page.getByRole('menuitemradio', { name: 'Light' }).click()
    await expect.poll(() => paper(page)).toBe(light)
    await page.reload()
    await expect(page.getByText('Shared family photos and videos')).toBeVisible()
    expect(await paper(page)).toBe(light)
  })
  await test.step('of stacked toasts only the edge is visible behind the first', async () => {
    await page.setViewportSize(desktop)
    await page.getByRole('button', { name: 'New Folder' }).click()
    await expect(page.getByLabel('Folder Name')).toBeFocused()
    for (const _ of [1, 2]) await page.keyboard.press('Enter')
    await expect(page.locator('[data-sonner-toast][data-front="true"] > [data-content]')).toHaveCSS('opacity', '1')
    await expect(page.locator('[data-sonner-toast][data-front="false"] > [data-content]').first()).toHaveCSS(
      'opacity',
      '0',
    )
  })
})

test('with reduced motion nothing is animated', async ({ newDevice }) => {
  await signIn(await newDevice(), 'Ben Okafor')
  const page = await newDevice({ reducedMotion: 'reduce' })
  await signIn(page, 'Ada Okafor')
  await expect(page.getByText('Successfully signed in!')).toBeVisible()
  await page.goto('/admin?tab=approved')
  await rowOf(page, 'Ben Okafor').getByRole('button', { name: 'Revoke' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(animation => Number(animation.effect?.getComputedTiming().duration) > 50)
      .map(animation => animation.effect instanceof KeyframeEffect && animation.effect.target?.className),
  )
  expect(moving).toEqual([])
})

async function openMenu(page: Page): Promise<void> {
  const folded = page.getByRole('button', { name: 'More', exact: true })
  const account = page.getByRole('button', { name: 'Ada Okafor' })
  await folded.or(account).filter({ visible: true }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeVisible()
}

/** Controls smaller than 44 pixels, except the close button of a toast, which disappears without it. */
function tooSmallToTouch(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>('button, a, [role=menuitem], [role=menuitemradio]')
    return Array.from(controls)
      .filter(control => control.checkVisibility() && !control.closest('[data-sonner-toast]'))
      .filter(control => control.getBoundingClientRect().height < 44 || control.getBoundingClientRect().width < 44)
      .map(control => control.outerHTML.slice(0, 200))
  })
}

/** By how many pixels the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

function paper(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
}
