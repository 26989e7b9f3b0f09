import type { Locator, Page } from '@playwright/test'
import { expect } from './members.ts'

export function chatOn(page: Page) {
  const window = page.getByRole('dialog', { name: 'Chat', exact: true })
  const log = window.getByRole('log', { name: 'Messages' })
  const field = window.getByRole('textbox', { name: 'Message' })
  return {
    window,
    log,
    field,
    button: page.getByRole('button', { name: /^Chat/ }),
    typing: (text: string) => window.getByText(text),
    message: (text: string) => log.locator('[data-row]').filter({ hasText: text }),
    /** The texts of all rendered messages, in order. */
    words: () => log.locator('[data-row] [dir=auto].whitespace-pre-wrap').allInnerTexts(),
    async open() {
      await page.getByRole('button', { name: /^Chat/ }).click()
      await expect(window).toBeVisible()
    },
    async openConversation(title: string) {
      await window.getByRole('listitem').filter({ hasText: title }).getByRole('button').click()
      await expect(field).toBeVisible()
    },
    async say(text: string) {
      await field.fill(text)
      await field.press('Enter')
    },
  }
}

/** The side of the log that a message is aligned to. */
export async function sideOf(log: Locator, message: Locator): Promise<'left' | 'right'> {
  const [around, bubble] = [await log.boundingBox(), await message.locator('.rounded-card').boundingBox()]
  if (around === null || bubble === null) throw new Error('It is not to be seen')
  return bubble.x - around.x > around.x + around.width - bubble.x - bubble.width ? 'right' : 'left'
}
