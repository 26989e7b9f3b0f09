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
  return describeViolations((await page.evaluate(run)) as AxeResults['violations'])
}

/** Where the text that an element shows is not part of its accessible name. axe-core runs this rule only on request. */
export async function labelMismatches(page: Page): Promise<string[]> {
  await page.evaluate(source)
  const rule = 'label-content-name-mismatch'
  const run = `axe.run({ runOnly: { type: 'rule', values: ['${rule}'] } }).then(({ violations }) => violations)`
  return describeViolations((await page.evaluate(run)) as AxeResults['violations'])
}

function describeViolations(found: AxeResults['violations']): string[] {
  return found.map(({ id, help, nodes }) => {
    const places = nodes.map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary})`)
    return `${id}: ${help}: ${places.join('; ')}`
  })
}
