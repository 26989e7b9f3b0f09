import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * The accessibility violations that axe-core finds on the page, one line each with its place: all rules in the light
 * colours, and the contrast in the dark ones too, because nothing else depends on the colours.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const found = await runAxe(page, {})
  await showColors(page, 'dark')
  const inDark = await runRule(page, 'color-contrast')
  await showColors(page, 'light')
  return [...found, ...inDark.map(violation => `In the dark: ${violation}`)]
}

/** Where the text that an element shows is not part of its accessible name. axe-core runs this rule only on request. */
export async function labelMismatches(page: Page): Promise<string[]> {
  await page.evaluate(source)
  return runRule(page, 'label-content-name-mismatch')
}

async function showColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
  })
}

function runRule(page: Page, rule: string): Promise<string[]> {
  return runAxe(page, { runOnly: { type: 'rule', values: [rule] } })
}

/**
 * Evaluated as text, because the page's security policy refuses it as a script. Only violations are reported: describing
 * what passes takes most of the time.
 */
async function runAxe(page: Page, options: RunOptions): Promise<string[]> {
  const written = JSON.stringify({ resultTypes: ['violations'], ...options })
  const run = `axe.run(${written}).then(({ violations }) => violations)`
  return describeViolations((await page.evaluate(run)) as AxeResults['violations'])
}

function describeViolations(found: AxeResults['violations']): string[] {
  return found.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
    return `${id}: ${help}: ${places.join('; ')}`
  })
}
