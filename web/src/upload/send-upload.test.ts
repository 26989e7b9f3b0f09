import { expect, test } from 'vitest'
import { uploads } from '#contract/limits.ts'
import { FileMetadata, ImageVariants } from '#contract/upload.ts'
import type { PreparedVariant } from './prepare/prepare.ts'
import { buildForm, largeParts, type UploadPayload } from './send-upload.ts'
import { fileOfSize } from './test-support/items.ts'

const hash = 'a'.repeat(64)
const original = fileOfSize(10, 'IMG 1.jpg')
const plain: UploadPayload = { name: 'IMG 1.jpg', original, hash, metadata: null, folderId: 7, motion: null }

function variant(type: PreparedVariant['type']): PreparedVariant {
  const blob = type === 'full' ? original : new Blob([type])
  return { type, blob, width: 4, height: 3, quality: 0.8, suffix: `_${type}`, original }
}
const variants = (['thumbnail', 'mobile', 'website', 'desktop', 'full'] as const).map(variant)

function names(form: FormData): string[] {
  return form.getAll('files').map(part => (part instanceof File ? part.name : part))
}

test('a photo is sent with its five variants, and the original is the full size', () => {
  const form = buildForm({ ...plain, images: { variants, fullIsOriginal: true } }, new Map())
  expect(names(form)).toEqual(['thumbnail', 'mobile', 'website', 'desktop', 'full'].map(type => `${type}_IMG 1.jpg`))
  const sent = ImageVariants.parse(JSON.parse(String(form.get('imageVariants'))))
  expect(sent).toMatchObject({ originalName: 'IMG 1.jpg', hash, folderId: 7, lastModified: original.lastModified })
  expect(sent.variants).toHaveLength(5)
})

test('an original that browsers cannot show is sent next to the full-size image', () => {
  const form = buildForm({ ...plain, images: { variants, fullIsOriginal: false } }, new Map())
  expect(names(form).slice(-2)).toEqual(['full_IMG 1.jpg', 'original_IMG 1.jpg'])
})

test('a large full-size image is uploaded before the form', () => {
  const large = { ...variant('full'), blob: fileOfSize(uploads.resumableAbove + 1, 'IMG 1.jpg') }
  const images = { variants: [...variants.slice(0, 4), large], fullIsOriginal: false }
  expect(largeParts({ ...plain, images })).toEqual([['converted', large.blob]])
  const form = buildForm({ ...plain, images }, new Map([['converted', '1-full']]))
  expect(names(form).map(name => name.split('_')[0])).toEqual(['thumbnail', 'mobile', 'website', 'desktop', 'original'])
  const sent = ImageVariants.parse(JSON.parse(String(form.get('imageVariants'))))
  expect(sent.convertedUploadId).toBe('1-full')
  expect(sent.variants).toHaveLength(5)
})

test('an original uploaded before is referenced by its id', () => {
  const form = buildForm({ ...plain, images: { variants, fullIsOriginal: true } }, new Map([['original', '1-abc']]))
  expect(names(form).some(name => name.startsWith('full_'))).toBe(false)
  expect(ImageVariants.parse(JSON.parse(String(form.get('imageVariants')))).uploadId).toBe('1-abc')
})

test('a file without variants is sent alone with its hash', () => {
  const form = buildForm(plain, new Map())
  expect(names(form)).toEqual(['IMG 1.jpg'])
  expect(form.get('hashes')).toBe(hash)
  expect(FileMetadata.parse(JSON.parse(String(form.get('fileMetadata'))))).toMatchObject({ hash, folderId: 7 })
  expect(buildForm({ ...plain, hash: null }, new Map()).has('hashes')).toBe(false)
})

test('a converted video is sent with its original', () => {
  const converted = fileOfSize(5, 'anything.mp4', 'video/mp4')
  const payload: UploadPayload = { ...plain, name: 'Film.mts', converted }
  expect(names(buildForm(payload, new Map()))).toEqual(['Film.mp4', 'original_Film.mts'])
  const ahead = buildForm(payload, new Map([['original', '1-a'] as const, ['converted', '1-b'] as const]))
  expect(names(ahead)).toEqual([])
  const sent = FileMetadata.parse(JSON.parse(String(ahead.get('fileMetadata'))))
  expect(sent).toMatchObject({ uploadId: '1-a', convertedUploadId: '1-b' })
})

test('the clip of a Live Photo is sent in the form or before it', () => {
  const payload: UploadPayload = { ...plain, motion: fileOfSize(5, 'IMG 1.mov', 'video/quicktime') }
  expect(names(buildForm(payload, new Map()))).toEqual(['IMG 1.jpg', 'motion_IMG 1.jpg'])
  const ahead = buildForm(payload, new Map([['motion', '1-c']]))
  expect(FileMetadata.parse(JSON.parse(String(ahead.get('fileMetadata')))).motionUploadId).toBe('1-c')
})

test('control characters in a name are kept in the metadata and escaped in the form', () => {
  const form = buildForm({ ...plain, name: 'bell\x07.jpg', motion: fileOfSize(3, 'bell.mov') }, new Map())
  expect(names(form)).toEqual(['bell_.jpg', 'motion_bell_.jpg'])
  expect(FileMetadata.parse(JSON.parse(String(form.get('fileMetadata')))).originalName).toBe('bell\x07.jpg')
})

test('only parts above the threshold are uploaded resumably', () => {
  const payload: UploadPayload = {
    ...plain,
    original: fileOfSize(uploads.resumableAbove + 1, 'a.mts'),
    converted: fileOfSize(uploads.resumableAbove, 'a.mp4'),
    motion: fileOfSize(uploads.resumableAbove + 1, 'a.mov'),
  }
  expect(largeParts(payload).map(([role]) => role)).toEqual(['original', 'motion'])
})
