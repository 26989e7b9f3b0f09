// `npm test` runs everything; `npm test -- PATTERN` the unit and API tests whose file matches; `npm test -- --e2e
// [PATTERN]` only the end-to-end tests. `npm run test:scale` runs the tests that need Postgres and an S3 store, `npm
// run test:long` the expensive tests in full. Stops at the first failing suite, so that the end of the output shows
// the failure.
import { ensureInstalled } from './lib/install.mjs'
import { compileCache, inProject, projectNode } from './lib/project.mjs'
import { attempt, main } from './lib/run.mjs'
import { ensureSystemPrograms, findChromium } from './lib/system.mjs'
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

  for (const config of configs) {
    for (const suite of suites) {
      const code = await suite(config, patterns)
      if (code !== 0) return code
    }
  }
  return 0
})

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
    env: { ...compileCache, CHROMIUM_PATH: findChromium() },
  })
}
