import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The accessibility violations that axe-core finds on the page, one line each with its place. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(source)
  // Evaluated as text, because the page's security policy refuses it as a script. Only violations are reported: describing
  // what passes takes most of the time.
  const run = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
  const found = (await page.evaluate(run)) as AxeResults['violations']
  return found.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
    return `${id}: ${help}: ${places.join('; ')}`
  })
}
