import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The files that docs/subsystems.md lists from the click to the stored file. */
function listedFiles(): string[] {
  const text = readFileSync(join(root, 'docs/subsystems.md'), 'utf8')
  const [, path = ''] = text.split(/<!-- (?:end of the )?upload path -->/)
  return [...path.matchAll(/^\| `([^`]+)` \|/gm)].map(([, file = '']) => file)
}

/** The files of these folders that a file imports. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = [...text.matchAll(/from '(\.{1,2}\/[^']+)'/g)].map(([, path = '']) => join(file, '..', path))
  return found.filter(path => /^web\/src\/upload\/[\w-]+\.ts$/.test(path) && !/texts?\.ts$/.test(path))
}

test('an upload can be followed through at most 30 files, which all exist', () => {
  const files = listedFiles()
  expect(files.length).toBeGreaterThan(20)
  expect(files.length).toBeLessThanOrEqual(30)
  expect(new Set(files).size).toBe(files.length)
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
})

test('no file of the upload in the browser is missing from the list', () => {
  const files = listedFiles()
  const engine = files.filter(file => file.startsWith('web/src/upload/'))
  const missing = engine.flatMap(importsOf).filter(file => !files.includes(file))
  // How far it is, which the path does not need.
  expect([...new Set(missing)]).toEqual(['web/src/upload/upload-progress.ts'])
})
