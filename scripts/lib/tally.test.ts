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
    numPendingTests: count('skipped'),
    numTodoTests: count('todo'),
    testResults: files.map(file => ({
      name: join(process.cwd(), 'web', 'a.test.ts'),
      message: 'Cannot find module',
      status: file.status,
      assertionResults: file.tests.map(status => ({
        status,
        fullName: `it has ${status}`,
        failureMessages: status === 'failed' ? ['Error: \u001b[31mno\u001b[39m\n    at a.test.ts:1'] : [],
      })),
    })),
  }
}

test('a test file that cannot be loaded counts as a failure', () => {
  const report = vitestReport([
    { status: 'passed', tests: ['passed', 'passed'] },
    { status: 'failed', tests: [] },
  ])
  const failures = [`${join('web', 'a.test.ts')}\n    Cannot find module`]
  expect(tallyVitest(report)).toEqual({ passed: 2, failures, skipped: 0 })
})

test('a file whose preparation failed counts as a failure beside its skipped tests', () => {
  const report = vitestReport([{ status: 'failed', tests: ['skipped', 'skipped'] }])
  expect(tallyVitest(report)).toMatchObject({ passed: 0, failures: [expect.any(String)], skipped: 2 })
})

test('a file with failed tests counts those alone, by name and with the first line of the reason', () => {
  const report = vitestReport([{ status: 'failed', tests: ['failed', 'passed', 'todo'] }])
  const failures = [`${join('web', 'a.test.ts')} › it has failed\n    Error: no`]
  expect(tallyVitest(report)).toEqual({ passed: 1, failures, skipped: 1 })
})

test('end-to-end tests that failed are named however deep they lie, as are errors outside every test', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'a.test.ts',
    line: 7,
    tests: [{ status, results: [{}, { error: { message: 'Error: no' } }] }],
  })
  const suites = [
    { specs: [spec('good', 'expected'), spec('bad', 'unexpected')], suites: [{ specs: [spec('shaky', 'flaky')] }] },
  ]
  expect(tallyPlaywright({ stats: { expected: 3, skipped: 2 }, suites, errors: [{}] })).toEqual({
    passed: 3,
    failures: ['a.test.ts:7 › bad\n    Error: no', 'a.test.ts:7 › shaky\n    Error: no', 'outside every test'],
    skipped: 2,
  })
})

test('what an end-to-end test wrote down about its failure stands below it', () => {
  const body = Buffer.from('404 /api/media/7\n- main:').toString('base64')
  const attachments = [{ contentType: 'text/plain', body }, { contentType: 'image/png' }]
  const tests = [{ status: 'unexpected', results: [{ error: { message: 'Error: no' }, attachments }] }]
  const suites = [{ specs: [{ title: 'bad', file: 'a.test.ts', line: 7, tests }] }]
  expect(tallyPlaywright({ stats: { expected: 0, skipped: 0 }, suites, errors: [] }).failures).toEqual([
    'a.test.ts:7 › bad\n    Error: no\n    404 /api/media/7\n    - main:',
  ])
})

test('a runner that fails without naming a failed test is not green', () => {
  const file = join(folder, 'vitest.json')
  writeFileSync(file, JSON.stringify(vitestReport([{ status: 'passed', tests: ['passed'] }])))
  expect(readTally(file, 1, tallyVitest)).toEqual({
    passed: 1,
    failures: [expect.stringContaining('code 1')],
    skipped: 0,
  })
  expect(readTally(file, 0, tallyVitest)).toEqual({ passed: 1, failures: [], skipped: 0 })
})

test('a runner that crashed before it could report is a failure', () => {
  const tally = readTally(join(folder, 'missing.json'), 134, tallyVitest)
  expect(tally).toEqual({ passed: 0, failures: [expect.stringContaining('code 134')], skipped: 0 })
})

test('the last line is the count, after what failed, and names skipped tests only when there are some', () => {
  const total = sum([
    { passed: 2, failures: [], skipped: 0 },
    { passed: 3, failures: ['web/a.test.ts › it has failed'], skipped: 0 },
  ])
  expect(inWords(total)).toBe('Failed:\n  web/a.test.ts › it has failed\n5 passed, 1 failed')
  expect(inWords({ passed: 5, failures: [], skipped: 1 })).toBe('5 passed, 0 failed, 1 skipped')
})
