// `npm test` runs everything; `npm test -- PATTERN` the unit and API tests whose file matches; `npm test -- --e2e
// [PATTERN]` only the end-to-end tests. `npm run test:scale` runs the tests that need Postgres and an S3 store, `npm
// run test:long` the expensive tests in full. Stops at the first failing suite, so that the end of the output shows
// the failure.
import { readFileSync, writeFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { fillCompileCache } from './lib/compile-cache.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { openMemoryFolder } from './lib/memory-folder.mjs'
import { compileCache, inProject, projectNode } from './lib/project.mjs'
import { attempt, main } from './lib/run.mjs'
import { ensureSystemPrograms, findHeadlessChromium } from './lib/system.mjs'
import { ensureWebBuilt } from './lib/web.mjs'

const progressReporter = inProject('scripts', 'lib', 'progress-reporter.mjs')

await main(async () => {
  const given = process.argv.slice(2)
  // Randomised tests read this for their number of iterations: few by default, many here.
  if (given[0] === '--long') process.env.LONG = given.shift()
  const onlyScale = given[0] === '--scale'
  if (onlyScale) given.shift()
  const [first, ...rest] = given
  const suites = first === undefined ? [unitAndApi, endToEnd] : first === '--e2e' ? [endToEnd] : [unitAndApi]
  const patterns = first === undefined || first === '--e2e' ? rest : [first, ...rest]
  // SQLite and a folder (database tests also on Postgres), or Postgres and an S3 store.
  const everywhere = process.env.LONG && first === undefined
  const configs = everywhere ? ['config.ts', 'scale.config.ts'] : [onlyScale ? 'scale.config.ts' : 'config.ts']

  await ensureInstalled()
  await ensureSystemPrograms({ withStore: configs.includes('scale.config.ts') })
  await ensureWebBuilt()
  fillCompileCache()

  const restorePriority = lowerPriority()
  // The long tests write several gigabytes.
  const memory = process.env.LONG ? undefined : openMemoryFolder()
  if (memory) process.env.TMPDIR = memory.folder
  try {
    for (const config of configs) {
      for (const suite of suites) {
        const code = await suite(config, patterns)
        if (code !== 0) return code
      }
    }
    return 0
  } finally {
    restorePriority()
    memory?.remove()
  }
})

/**
 * The product's decoders run at the lowest priority. Tests keep all cores busy, and decoders would get nothing beside
 * tests of normal priority. Linux schedules sessions before processes, so the session's priority is lowered too.
 */
function lowerPriority() {
  const session = '/proc/self/autogroup'
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const before = ignoreErrors(() => readFileSync(session, 'latin1').trim().split(' ').at(-1)) ?? '0'
  const setSession = (/** @type {string} */ priority) => ignoreErrors(() => writeFileSync(session, priority))
  setSession(String(constants.priority.PRIORITY_BELOW_NORMAL))
  return () => setSession(before)
}

/**
 * Without such sessions, or when the kernel refuses a second change within 100 ms, tests run all the same.
 * @template Result
 * @param {() => Result} act
 */
function ignoreErrors(act) {
  try {
    return act()
  } catch {
    return undefined
  }
}

/** @param {string} config @param {string[]} patterns */
function unitAndApi(config, patterns) {
  const vitest = inProject('node_modules', 'vitest', 'vitest.mjs')
  const options = ['--config', inProject(`vitest.${config}`), '--reporter=default', `--reporter=${progressReporter}`]
  return attempt(projectNode(), [vitest, 'run', ...options, ...patterns], { env: compileCache })
}

/** @param {string} config @param {string[]} patterns */
function endToEnd(config, patterns) {
  const playwright = inProject('node_modules', '@playwright', 'test', 'cli.js')
  const options = ['--config', inProject(`playwright.${config}`), `--reporter=list,${progressReporter}`]
  return attempt(projectNode(), [playwright, 'test', ...options, ...patterns], {
    env: { ...compileCache, CHROMIUM_PATH: findHeadlessChromium() },
  })
}
