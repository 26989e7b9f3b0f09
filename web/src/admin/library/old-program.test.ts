import { expect, test } from 'vitest'
import { isOldProgram } from './old-program.ts'

test('a program is old more than two years after the middle of its year', () => {
  expect(isOldProgram(2024, Date.UTC(2026, 5, 30))).toBe(false)
  expect(isOldProgram(2024, Date.UTC(2026, 6, 2))).toBe(true)
  expect(isOldProgram(2026, Date.UTC(2026, 10, 18))).toBe(false)
  expect(isOldProgram(null, Date.UTC(2026, 10, 18))).toBe(false)
})
