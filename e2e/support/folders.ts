import type { Locator, Page } from '@playwright/test'
import { createFolder, type Folder } from '#contract/folders.ts'
import { callerOn } from './caller.ts'
import { expect } from './family.ts'

export function line(page: Page, name: string): Locator {
  return page.getByRole('treeitem', { name: new RegExp(`^${name.replaceAll(/[()]/g, '\\$&')}(,|$)`) })
}

/** The names of the visible folders, from top to bottom. */
export async function namesOf(page: Page): Promise<string[]> {
  const labels = await page
    .getByRole('treeitem')
    .evaluateAll(lines => lines.filter(one => one.hasAttribute('draggable')).map(one => one.ariaLabel ?? ''))
  return labels.map(label => label.replace(/, [\d,]+ files?$/, ''))
}

/** Creates folders by their paths and reloads the page. */
export async function makeFolders(page: Page, ...paths: string[]): Promise<Folder[]> {
  const caller = await callerOn(page)
  const address = page.url()
  // An open page would refetch and render all folders after each of them.
  await page.goto('about:blank')
  const made: Folder[] = []
  for (const path of paths) {
    const names = path.split(' / ')
    const parent = made.find(folder => folder.path === names.slice(0, -1).join(' / '))
    const body = { name: names.at(-1) ?? '', parent_id: parent?.id ?? null }
    made.push(await caller.call(createFolder, { body }))
  }
  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'All Files' })).toBeVisible()
  return made
}

export async function openMenu(page: Page, name: string): Promise<void> {
  await line(page, name).focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
}

export async function rename(page: Page, name: string, newName: string): Promise<void> {
  await startRenaming(page, name, newName)
  await page.keyboard.press('Enter')
}

export async function startRenaming(page: Page, name: string, newName: string): Promise<void> {
  await line(page, name).focus()
  await page.keyboard.press('F2')
  await page.getByLabel('Folder Name').fill(newName)
}
