import { expect, test } from 'vitest'
import { filesAndBelow } from './counts-in-words.ts'

test('the heading of a folder says what is in its folders, too', () => {
  expect(filesAndBelow(0, 66)).toBe('66 files in its folders')
  expect(filesAndBelow(1, 66)).toBe('1 file, 66 more in its folders')
})
