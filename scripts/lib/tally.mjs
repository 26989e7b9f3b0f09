import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** Lines of notes on one failure. */
const MOST_NOTES = 100

/**
 * What failed is kept by name: whoever sees only the end of a long run still learns what to look at.
 * @typedef {{ passed: number, failures: string[], skipped: number }} Tally
 */

/**
 * @typedef {object} VitestFile
 * @property {string} name
 * @property {string} status
 * @property {string} [message]
 * @property {{ status: string, fullName: string, failureMessages?: string[] | null }[]} assertionResults
 */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {VitestFile[]} testResults
 */

/**
 * @typedef {object} PlaywrightError
 * @property {string} [message]
 */

/**
 * @typedef {object} PlaywrightResult
 * @property {PlaywrightError} [error]
 * @property {{ contentType: string, body?: string }[]} [attachments]
 */

/**
 * @typedef {object} PlaywrightSpec
 * @property {string} title
 * @property {string} file
 * @property {number} line
 * @property {{ status: string, results: PlaywrightResult[] }[]} tests
 */

/**
 * @typedef {object} PlaywrightSuite
 * @property {PlaywrightSpec[]} [specs]
 * @property {PlaywrightSuite[]} [suites]
 */

/**
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, skipped: number }} stats
 * @property {PlaywrightSuite[]} suites
 * @property {PlaywrightError[]} errors
 */

/**
 * @param {VitestReport} report
 * @returns {Tally}
 */
export function tallyVitest(report) {
  return {
    passed: report.numPassedTests,
    failures: report.testResults.filter(file => file.status === 'failed').flatMap(failuresOfFile),
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** @param {VitestFile} file */
function failuresOfFile({ name, message, assertionResults }) {
  const path = relative(process.cwd(), name)
  const failed = assertionResults.filter(test => test.status === 'failed')
  // A file that cannot be loaded, or whose preparation fails, reports no failed test of its own.
  if (failed.length === 0) return [described(path, message)]
  return failed.map(test => described(`${path} › ${test.fullName}`, test.failureMessages?.[0]))
}

/**
 * @param {PlaywrightReport} report
 * @returns {Tally}
 */
export function tallyPlaywright({ stats, suites, errors }) {
  const failed = specsIn(suites).flatMap(({ title, file, line, tests }) =>
    tests
      .filter(test => test.status === 'unexpected' || test.status === 'flaky')
      .map(({ results }) => {
        const failed = results.find(({ error }) => error !== undefined)
        return [described(`${file}:${line} › ${title}`, failed?.error?.message), ...notesOf(failed)].join('\n')
      }),
  )
  const outside = errors.map(error => described('outside every test', error.message))
  return { passed: stats.expected, failures: [...failed, ...outside], skipped: stats.skipped }
}

/**
 * What a test wrote down about its failure: where the run was is often the only place where it fails.
 * @param {PlaywrightResult} [result]
 */
function notesOf(result) {
  const texts = (result?.attachments ?? []).filter(({ contentType, body }) => contentType === 'text/plain' && body)
  const lines = texts.flatMap(({ body = '' }) => Buffer.from(body, 'base64').toString().split('\n'))
  return lines.slice(0, MOST_NOTES).map(line => `    ${line}`)
}

/**
 * @param {PlaywrightSuite[]} suites
 * @returns {PlaywrightSpec[]}
 */
function specsIn(suites) {
  return suites.flatMap(suite => [...(suite.specs ?? []), ...specsIn(suite.suites ?? [])])
}

/**
 * @param {string} what
 * @param {string} [why]
 */
function described(what, why = '') {
  const [firstLine = ''] = stripVTControlCharacters(why).split('\n')
  return firstLine === '' ? what : `${what}\n    ${firstLine}`
}

/**
 * Counts what a runner reported. One that crashed, or that failed for a reason outside every test, counts as a failure,
 * so that no red run looks green.
 *
 * @template Report
 * @param {string} file
 * @param {number} exitCode
 * @param {(report: Report) => Tally} count
 * @returns {Tally}
 */
export function readTally(file, exitCode, count) {
  const tally = existsSync(file)
    ? count(JSON.parse(readFileSync(file, 'utf8')))
    : { passed: 0, failures: [], skipped: 0 }
  if (exitCode === 0 || tally.failures.length > 0) return tally
  return { ...tally, failures: [`the runner ended with code ${exitCode} and named no test: its own words are above`] }
}

/**
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  return tallies.reduce(
    (total, tally) => ({
      passed: total.passed + tally.passed,
      failures: [...total.failures, ...tally.failures],
      skipped: total.skipped + tally.skipped,
    }),
    { passed: 0, failures: [], skipped: 0 },
  )
}

/**
 * What failed, a line or two each, and then the count as the last line.
 * @param {Tally} tally
 */
export function inWords({ passed, failures, skipped }) {
  const count = `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  return failures.length === 0 ? count : ['Failed:', ...failures.map(failure => `  ${failure}`), count].join('\n')
}
