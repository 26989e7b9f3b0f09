import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe-core finds wrong on the page as it stands, each as one line that says where. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(source)
  // Given as text, since the page's own security policy would refuse it as a script. Every rule runs on every element; what
  // is well is not described, nor sent out of the page.
  const run = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)"
  const found = (await page.evaluate(run)) as AxeResults['violations']
  return found.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
    return `${id}: ${help}: ${places.join('; ')}`
  })
}
