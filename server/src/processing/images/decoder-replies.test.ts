import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseFacts, parseInspection, parseVariantCheck, parseVariants } from './decoder-replies.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-replies-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(join(folder, 'desktop.jpg'), 'pixels')
symlinkSync('/etc/passwd', join(folder, 'mobile.jpg'))

const variant = { name: 'desktop', width: 4, height: 3, mime: 'image/jpeg' }
const made = { width: 4, height: 3, damaged: false, thumbhash: 'YWJj', variants: [variant] }
const nonsense = { failure: 'crashed', message: 'The decoder gave an invalid answer.' }

test('where a variant is and how large, the server sees for itself', async () => {
  const claimed = { ...variant, path: '/etc/passwd', size: 1e9 }
  expect(await parseVariants(folder, { ...made, variants: [claimed] })).toEqual({
    ...made,
    variants: [{ ...variant, path: join(folder, 'desktop.jpg'), size: 6 }],
  })
})

test.each([
  ['nothing', undefined],
  ['a variant that is no file', { ...made, variants: [{ ...variant, name: 'mobile' }] }],
  ['a variant that is missing', { ...made, variants: [{ ...variant, name: 'website' }] }],
  ['a name that leads elsewhere', { ...made, variants: [{ ...variant, name: '../desktop' }] }],
  ['a type that browsers run', { ...made, variants: [{ ...variant, mime: 'text/html' }] }],
  ['a size that is no number', { ...made, width: '4' }],
  ['a placeholder without end', { ...made, thumbhash: 'YWJj'.repeat(1_000) }],
])('%s is not taken for variants', async (_name, reply) => {
  await expect(parseVariants(folder, reply)).rejects.toMatchObject(nonsense)
})

test('a size and a verdict are checked too', () => {
  const ok = { ok: true, width: 4, height: 3, mime: 'image/jpeg', thumbhash: 'YWJj' }
  expect(parseFacts({ size: { width: 4, height: 3 }, hdr: true })).toEqual({
    size: { width: 4, height: 3 },
    hdr: true,
  })
  expect(parseVariantCheck(ok)).toEqual(ok)
  for (const refused of [
    { ok: false, reason: 'It is not a JPEG file.' },
    { ok: false, reason: 'It consists of too many scans.', tooComplex: true },
  ]) {
    expect(parseVariantCheck(refused)).toEqual(refused)
  }
  expect(parseInspection({ metadata: 'Too deep.' })).toEqual({ metadata: 'Too deep.' })
  expect(() => parseInspection({ metadata: 'a'.repeat(2_000) })).toThrow(nonsense.message)
  expect(() => parseFacts({ size: { width: -1, height: 3 }, hdr: true })).toThrow(nonsense.message)
  expect(() => parseVariantCheck({ ...ok, mime: 'image/svg+xml' })).toThrow(nonsense.message)
})
