import type { BrowserContextOptions, Page } from '@playwright/test'
import { expect, signIn, test } from './support/family.ts'
import { usePseudoLanguage } from './support/pseudo-language.ts'
import { FILES, test as stockedTest } from './support/stocked-library.ts'

test('the language follows the browser, and My settings changes it on every device of the person', async ({
  newDevice,
}) => {
  const german = await newDevice({ locale: 'de-DE' })
  await signInInGerman(german)
  await expect(german.locator('html')).toHaveAttribute('lang', 'de')

  const page = await newDevice({ locale: 'en-GB' })
  await signIn(page, 'Ada Okafor')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await page.goto('/settings')
  await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Deutsch' })
  await expect(page.getByRole('heading', { level: 1, name: 'Meine Einstellungen' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')

  await test.step('a new device of hers is German too, although its browser is English', async () => {
    const other = await newDevice({ locale: 'en-GB' })
    await signIn(other, 'Ada Okafor')
    await expect(other.getByRole('link', { name: 'Galerie' })).toBeVisible()
  })

  await test.step('and English again', async () => {
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption({ label: 'English' })
    await expect(page.getByRole('heading', { level: 1, name: 'My settings' })).toBeVisible()
  })
})

test('the server’s errors are in the language of the page', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { locale: 'de-DE' })
  await page.goto('/albums/999999')
  await expect(page.getByText('Dieses Album gibt es nicht')).toBeVisible()
})

async function signInInGerman(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Weiter mit Google' }).click()
  await page.getByRole('button', { name: 'Ben Okafor' }).click()
  await expect(page.getByRole('link', { name: 'Galerie' })).toBeVisible()
}

const sizes: Record<string, BrowserContextOptions> = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  tablet: { viewport: { width: 820, height: 1180 }, hasTouch: true },
  desktop: { viewport: { width: 1440, height: 900 } },
}

/** Pages, and what to press there, by position among the buttons that open something, since no name is known. */
const paths = [
  '/',
  '/?view=list',
  '/?search=nothing+has+this+name',
  '/?type=video&sort=name',
  '/albums',
  '/favourites',
  '/memories',
  '/map',
  '/places',
  '/undated',
  '/recently-deleted',
  '/links',
  '/settings',
  '/admin',
  '/admin?tab=approved',
  '/admin?tab=invitations',
  '/admin?tab=denied',
  '/admin?tab=failed-files',
  '/admin?tab=activity',
]

for (const [size, device] of Object.entries(sizes)) {
  stockedTest(
    `with texts 40 % longer everything fits, and none is outside the catalogues: ${size}`,
    async ({ open }) => {
      const page = await open('/about', device)
      await usePseudoLanguage(page.context())
      await page.evaluate(() => localStorage.setItem('language', 'de'))
      for (const path of paths) {
        await stockedTest.step(path, async () => {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
          await check(page)
        })
      }
      await stockedTest.step('the names of packages and licences, which are the same in every language', async () => {
        await page.goto('/about')
        await expect(page.getByText('⟦').first()).toBeAttached()
        expect((await page.evaluate(measure)).overflow).toBe(0)
      })
      await stockedTest.step('a photo with its details', async () => {
        await page.goto('/')
        await page.getByRole('gridcell').first().click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await check(page)
      })
    },
  )
}

async function check(page: Page): Promise<void> {
  await expect(page.getByText('⟦').first()).toBeAttached()
  // “Loading…”
  await expect(page.getByText('Looaddingg')).toHaveCount(0)
  const { overflow, outside } = await page.evaluate(measure)
  expect(outside.filter(text => !isData(text))).toEqual([])
  expect(overflow).toBe(0)
}

/** By how much the page is wider than its window, and the visible texts that have letters outside ⟦…⟧. */
function measure(): { overflow: number; outside: string[] } {
  const outside: string[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement
    if (!element?.checkVisibility() || element.closest('style, script, .skeleton')) continue
    const rest = (node.textContent ?? '').replaceAll(/⟦[^⟧]*⟧/g, '').trim()
    if (/\p{L}{2}/u.test(rest)) outside.push(rest)
  }
  const root = document.documentElement
  return { overflow: Math.max(0, root.scrollWidth - root.clientWidth), outside: [...new Set(outside)] }
}

/** What people and cameras named, dates and sizes in German, and names that are the same in every language. */
function isData(text: string): boolean {
  return text.split(/, |,$| · /).every(part => part === '' || dataForms.some(form => form.test(part)))
}

const month =
  '(Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jan|Feb|Mär|Apr|Jun|Jul|Aug|Sep|Sept|Okt|Nov|Dez)'
const dataForms = [
  /^((Ada|Ben) Okafor|Grandma Rose|Kofi Mensah|Inês Duarte|[A-Z]{1,2})$/,
  /^(Heirloom|Beach|English|Deutsch|\p{L}+tag)$/u,
  /^[\w -]+\.(jpg|mp4|mov)$/,
  /^[\w.]+@[\w.]+$/,
  new RegExp(`^(\\d+\\. ?)?${month}\\.?( \\d{4})?( um [\\d:]+)?$`, 'u'),
  new RegExp(`^[\\d.]* ?(${month}\\.?)? ?– ?[\\d.]* ?${month}\\.? \\d{4}$`, 'u'),
  /^[\d.,]+\s(Bytes|KB|MB|GB|s|MP)$/,
  /^\d+\.\d+\.\d+(-dev)?$/,
  /^(image|video)\/[\w.+-]+$/,
]

stockedTest('numbers and dates are German', async ({ open }) => {
  const page = await open('/about', { locale: 'de-DE', viewport: { width: 1440, height: 900 } })
  await page.goto('/')
  await expect(page.getByText('Juni 2024').first()).toBeVisible()
  await expect(page.getByText(`${FILES} Dateien`).first()).toBeVisible()
})
