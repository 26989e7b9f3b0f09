import { createItem, type UploadItem } from '../upload-items.ts'

let last = 0

export function createTestItem(change: Partial<UploadItem> & { size?: number } = {}): UploadItem {
  const { size = 10, ...rest } = change
  last += 1
  const file = fileOfSize(size, rest.name ?? `IMG_${last}.jpg`)
  return { ...createItem(last, { file }), ...rest }
}

/** A file with a size but without content. */
export function fileOfSize(size: number, name: string, type = 'image/jpeg'): File {
  return Object.defineProperty(new File([], name, { type, lastModified: 1_700_000_000_000 }), 'size', { value: size })
}
