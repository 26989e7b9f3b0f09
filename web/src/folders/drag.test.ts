import { expect, test } from 'vitest'
import { dragKind } from './drag.ts'

test('dragged files and folders are recognised by their MIME type', () => {
  expect(dragKind(['text/plain', 'application/x-heirloom-files'])).toBe('files')
  expect(dragKind(['application/x-heirloom-folder'])).toBe('folder')
  expect(dragKind(['Files', 'text/uri-list'])).toBeUndefined()
})
