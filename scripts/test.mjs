// `npm test` runs everything; `npm test -- PATTERN` the unit and API tests whose file matches; `npm test -- --e2e [PATTERN]`
// the end-to-end tests alone. `npm run test:scale` runs what needs Postgres and an S3 store, `npm run test:long` the costly
// tests in full. The last line is always the count.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './lib/install.mjs'
import { compileCache, inProject, projectNode } from './lib/project.mjs'
import { attempt, main } from './lib/run.mjs'
import { ensureSystemPrograms, findChromium } from './lib/system.mjs'
import { inWords, readTally, sum, tallyPlaywright, tallyVitest } from './lib/tally.mjs'
import { ensureWebBuilt } from './lib/web.mjs'

/** @typedef {(program: string) => string[]} Place */

const minuteReporter = inProject('scripts', 'lib', 'minute-reporter.mjs')

/**
 * On SQLite and a folder, and the databases on Postgres too.
 * @type {Place}
 */
const usual = () => []
/**
 * On Postgres and an S3 store.
 * @type {Place}
 */
const scale = program => ['--config', inProject(`${program}.scale.config.ts`)]

await main(async () => {
  const given = process.argv.slice(2)
  // Tests that repeat themselves read this to know how often: a few times in CI, many times here.
  if (given[0] === '--long') process.env.LONG = given.shift()
  const onScale = given[0] === '--scale'
  if (onScale) given.shift()
  const [first, ...rest] = given
  const suites = first === undefined ? [unitAndApi, endToEnd] : first === '--e2e' ? [endToEnd] : [unitAndApi]
  const places = process.env.LONG && first === undefined ? [usual, scale] : onScale ? [scale] : [usual]
  const patterns = first === undefined || first === '--e2e' ? rest : [first, ...rest]

  await ensureInstalled()
  await ensureSystemPrograms({ withStore: places.includes(scale) })
  await ensureWebBuilt()

  const reports = mkdtempSync(join(tmpdir(), 'heirloom-reports-'))
  try {
    const tallies = []
    for (const place of places) {
      for (const suite of suites) tallies.push(await suite(patterns, mkdtempSync(join(reports, 'suite-')), place))
    }
    const total = sum(tallies)
    console.log(inWords(total))
    return total.failures.length === 0 && total.passed > 0 ? 0 : 1
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
})

/**
 * @param {string[]} patterns
 * @param {string} reports
 * @param {Place} place
 */
async function unitAndApi(patterns, reports, place) {
  const report = join(reports, 'vitest.json')
  const vitest = inProject('node_modules', 'vitest', 'vitest.mjs')
  const reporters = [
    '--reporter=default',
    `--reporter=${minuteReporter}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const code = await attempt(projectNode(), [vitest, 'run', ...place('vitest'), ...reporters, ...patterns], {
    env: compileCache,
  })
  return readTally(report, code, tallyVitest)
}

/**
 * @param {string[]} patterns
 * @param {string} reports
 * @param {Place} place
 */
async function endToEnd(patterns, reports, place) {
  const report = join(reports, 'playwright.json')
  const playwright = inProject('node_modules', '@playwright', 'test', 'cli.js')
  const code = await attempt(
    projectNode(),
    [playwright, 'test', ...place('playwright'), `--reporter=list,json,${minuteReporter}`, ...patterns],
    {
      env: { ...compileCache, CHROMIUM_PATH: findChromium(), PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    },
  )
  return readTally(report, code, tallyPlaywright)
}
