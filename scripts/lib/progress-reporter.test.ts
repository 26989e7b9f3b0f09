import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import ProgressReporter from './progress-reporter.mjs'

const lines: string[] = []

beforeEach(() => {
  lines.length = 0
  vi.useFakeTimers()
  vi.spyOn(console, 'log').mockImplementation(line => void lines.push(line))
})

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('each minute a line says how many files of Vitest are done and which ones run, until the end', () => {
  const reporter = new ProgressReporter()
  const [one, two] = [{ relativeModuleId: 'one.test.ts' }, { relativeModuleId: 'two.test.ts' }]
  reporter.onTestRunStart([one, two])
  reporter.onTestModuleStart(one)
  vi.advanceTimersByTime(59_000)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1_000)
  reporter.onTestModuleEnd(one)
  reporter.onTestModuleStart(two)
  vi.advanceTimersByTime(60_000)
  reporter.onTestModuleEnd(two)
  reporter.onTestRunEnd()
  vi.advanceTimersByTime(600_000)
  expect(lines).toEqual([
    '── 1 min: 0 of 2 test files; running: one.test.ts',
    '── 2 min: 1 of 2 test files; running: two.test.ts',
  ])
})

test('of Playwright it counts the tests', () => {
  const reporter = new ProgressReporter()
  const [first, second] = [{ title: 'a photo is uploaded' }, { title: 'a photo is deleted' }]
  reporter.onBegin({}, { allTests: () => [first, second] })
  reporter.onTestBegin(first)
  reporter.onTestEnd(first)
  vi.advanceTimersByTime(60_000)
  reporter.onEnd()
  vi.advanceTimersByTime(600_000)
  expect(lines).toEqual(['── 1 min: 1 of 2 end-to-end tests'])
})
