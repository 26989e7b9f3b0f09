import { newItem, type UploadItem } from '../queue/item.ts'

let last = 0

/** An item as it stands somewhere on its way. */
export function itemWith(change: Partial<UploadItem> & { size?: number } = {}): UploadItem {
  const { size = 10, ...rest } = change
  last += 1
  const file = fileOf(size, rest.name ?? `IMG_${last}.jpg`)
  return { ...newItem(last, { file }), ...rest }
}

/** A file that says it has a size, without having the bytes. */
export function fileOf(size: number, name: string, type = 'image/jpeg'): File {
  return Object.defineProperty(new File([], name, { type, lastModified: 1_700_000_000_000 }), 'size', { value: size })
}
