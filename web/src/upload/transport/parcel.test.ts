import { expect, test } from 'vitest'
import { uploads } from '#contract/limits.ts'
import { FileMetadata, ImageVariants } from '#contract/upload.ts'
import type { PreparedVariant } from '../prepare/prepare.ts'
import { fileOf } from '../test-support/items.ts'
import { formFor, largeParts, type Parcel } from './parcel.ts'

const hash = 'a'.repeat(64)
const original = fileOf(10, 'IMG 1.jpg')
const plain: Parcel = { name: 'IMG 1.jpg', original, hash, metadata: null, folderId: 7, motion: null }

function variant(type: PreparedVariant['type']): PreparedVariant {
  const blob = type === 'full' ? original : new Blob([type])
  return { type, blob, width: 4, height: 3, quality: 0.8, suffix: `_${type}`, original }
}
const variants = (['thumbnail', 'mobile', 'website', 'desktop', 'full'] as const).map(variant)

function names(form: FormData): string[] {
  return form.getAll('files').map(part => (part instanceof File ? part.name : part))
}

test('a photo goes with its five pictures, of which the full one is the original itself', () => {
  const form = formFor({ ...plain, pictures: { variants, fullIsOriginal: true } }, new Map())
  expect(names(form)).toEqual(['thumbnail', 'mobile', 'website', 'desktop', 'full'].map(type => `${type}_IMG 1.jpg`))
  const told = ImageVariants.parse(JSON.parse(String(form.get('imageVariants'))))
  expect(told).toMatchObject({ originalName: 'IMG 1.jpg', hash, folderId: 7, lastModified: original.lastModified })
  expect(told.variants).toHaveLength(5)
})

test('where a browser cannot show the original, it travels beside the full picture', () => {
  const form = formFor({ ...plain, pictures: { variants, fullIsOriginal: false } }, new Map())
  expect(names(form).slice(-2)).toEqual(['full_IMG 1.jpg', 'original_IMG 1.jpg'])
})

test('a large picture that was made to be shown goes ahead of the form, as a converted film does', () => {
  const large = { ...variant('full'), blob: fileOf(uploads.resumableAbove + 1, 'IMG 1.jpg') }
  const pictures = { variants: [...variants.slice(0, 4), large], fullIsOriginal: false }
  expect(largeParts({ ...plain, pictures })).toEqual([['converted', large.blob]])
  const form = formFor({ ...plain, pictures }, new Map([['converted', '1-full']]))
  expect(names(form).map(name => name.split('_')[0])).toEqual(['thumbnail', 'mobile', 'website', 'desktop', 'original'])
  const told = ImageVariants.parse(JSON.parse(String(form.get('imageVariants'))))
  expect(told.convertedUploadId).toBe('1-full')
  expect(told.variants).toHaveLength(5)
})

test('an original that went ahead is named by its id and not sent again', () => {
  const form = formFor({ ...plain, pictures: { variants, fullIsOriginal: true } }, new Map([['original', '1-abc']]))
  expect(names(form).some(name => name.startsWith('full_'))).toBe(false)
  expect(ImageVariants.parse(JSON.parse(String(form.get('imageVariants')))).uploadId).toBe('1-abc')
})

test('a file without pictures goes alone, with its hash', () => {
  const form = formFor(plain, new Map())
  expect(names(form)).toEqual(['IMG 1.jpg'])
  expect(form.get('hashes')).toBe(hash)
  expect(FileMetadata.parse(JSON.parse(String(form.get('fileMetadata'))))).toMatchObject({ hash, folderId: 7 })
  expect(formFor({ ...plain, hash: null }, new Map()).has('hashes')).toBe(false)
})

test('a converted video goes as the file, with its original and whatever went ahead', () => {
  const converted = fileOf(5, 'anything.mp4', 'video/mp4')
  const parcel: Parcel = { ...plain, name: 'Film.mts', converted }
  expect(names(formFor(parcel, new Map()))).toEqual(['Film.mp4', 'original_Film.mts'])
  const ahead = formFor(parcel, new Map([['original', '1-a'] as const, ['converted', '1-b'] as const]))
  expect(names(ahead)).toEqual([])
  const told = FileMetadata.parse(JSON.parse(String(ahead.get('fileMetadata'))))
  expect(told).toMatchObject({ uploadId: '1-a', convertedUploadId: '1-b' })
})

test('a Live Photo brings its clip, in the form or ahead of it', () => {
  const parcel: Parcel = { ...plain, motion: fileOf(5, 'IMG 1.mov', 'video/quicktime') }
  expect(names(formFor(parcel, new Map()))).toEqual(['IMG 1.jpg', 'motion_IMG 1.jpg'])
  const ahead = formFor(parcel, new Map([['motion', '1-c']]))
  expect(FileMetadata.parse(JSON.parse(String(ahead.get('fileMetadata')))).motionUploadId).toBe('1-c')
})

test('a name with control characters is told as it is, and spelt in the form so that any server can read it', () => {
  const form = formFor({ ...plain, name: 'bell\x07.jpg', motion: fileOf(3, 'bell.mov') }, new Map())
  expect(names(form)).toEqual(['bell_.jpg', 'motion_bell_.jpg'])
  expect(FileMetadata.parse(JSON.parse(String(form.get('fileMetadata')))).originalName).toBe('bell\x07.jpg')
})

test('only what is above the small size goes piece by piece', () => {
  const parcel: Parcel = {
    ...plain,
    original: fileOf(uploads.resumableAbove + 1, 'a.mts'),
    converted: fileOf(uploads.resumableAbove, 'a.mp4'),
    motion: fileOf(uploads.resumableAbove + 1, 'a.mov'),
  }
  expect(largeParts(parcel).map(([role]) => role)).toEqual(['original', 'motion'])
})
