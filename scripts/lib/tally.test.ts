import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inWords, readTally, sum, tallyPlaywright, tallyVitest } from './tally.mjs'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-tally-'))
afterAll(() => rmSync(folder, { recursive: true }))

function vitestReport(files: { status: string; tests: string[] }[]) {
  const tests = files.flatMap(file => file.tests)
  const count = (status: string) => tests.filter(test => test === status).length
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped'),
    numTodoTests: count('todo'),
    testResults: files.map(file => ({
      status: file.status,
      assertionResults: file.tests.map(status => ({ status })),
    })),
  }
}

test('a test file that cannot be loaded counts as a failure', () => {
  const report = vitestReport([
    { status: 'passed', tests: ['passed', 'passed'] },
    { status: 'failed', tests: [] },
  ])
  expect(tallyVitest(report)).toEqual({ passed: 2, failed: 1, skipped: 0 })
})

test('a file whose preparation failed counts as a failure beside its skipped tests', () => {
  const report = vitestReport([{ status: 'failed', tests: ['skipped', 'skipped'] }])
  expect(tallyVitest(report)).toEqual({ passed: 0, failed: 1, skipped: 2 })
})

test('a file with failed tests counts those alone', () => {
  const report = vitestReport([{ status: 'failed', tests: ['failed', 'passed', 'todo'] }])
  expect(tallyVitest(report)).toEqual({ passed: 1, failed: 1, skipped: 1 })
})

test('errors outside every end-to-end test count as failures', () => {
  const stats = { expected: 3, unexpected: 1, flaky: 1, skipped: 2 }
  expect(tallyPlaywright({ stats, errors: [{}] })).toEqual({ passed: 3, failed: 3, skipped: 2 })
})

test('a runner that fails without naming a failed test is not green', () => {
  const file = join(folder, 'vitest.json')
  writeFileSync(file, JSON.stringify(vitestReport([{ status: 'passed', tests: ['passed'] }])))
  expect(readTally(file, 1, tallyVitest)).toEqual({ passed: 1, failed: 1, skipped: 0 })
  expect(readTally(file, 0, tallyVitest)).toEqual({ passed: 1, failed: 0, skipped: 0 })
})

test('a runner that crashed before it could report is a failure', () => {
  expect(readTally(join(folder, 'missing.json'), 134, tallyVitest)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('the last line names skipped tests only when there are some', () => {
  const total = sum([
    { passed: 2, failed: 0, skipped: 0 },
    { passed: 3, failed: 1, skipped: 0 },
  ])
  expect(inWords(total)).toBe('5 passed, 1 failed')
  expect(inWords({ ...total, skipped: 1 })).toBe('5 passed, 1 failed, 1 skipped')
})
