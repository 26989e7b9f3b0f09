import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

/**
 * @typedef {object} VitestReport
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults
 */

/**
 * @typedef {object} PlaywrightReport
 * @property {{ expected: number, unexpected: number, flaky: number, skipped: number }} stats
 * @property {unknown[]} errors
 */

/**
 * @param {VitestReport} report
 * @returns {Tally}
 */
export function tallyVitest(report) {
  // A file that cannot be loaded, or whose preparation fails, reports no failed test of its own.
  const brokenFiles = report.testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/**
 * @param {PlaywrightReport} report
 * @returns {Tally}
 */
export function tallyPlaywright({ stats, errors }) {
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length, skipped: stats.skipped }
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
  const tally = existsSync(file) ? count(JSON.parse(readFileSync(file, 'utf8'))) : { passed: 0, failed: 0, skipped: 0 }
  return exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally
}

/**
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export function sum(tallies) {
  return tallies.reduce(
    (total, tally) => ({
      passed: total.passed + tally.passed,
      failed: total.failed + tally.failed,
      skipped: total.skipped + tally.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  )
}

/** @param {Tally} tally */
export function inWords({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
