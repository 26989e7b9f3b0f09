import type { Status, UploadItem } from './item.ts'

/** What is being worked on comes first, what is done last. */
const listOrder: readonly Status[] = [
  'processing',
  'transcoding',
  'extracting',
  'hashing',
  'checking',
  'uploading',
  'pending',
  'error',
  'duplicate',
  'success',
]

const places = Object.fromEntries(listOrder.map((status, place) => [status, place])) as Record<Status, number>

const naturally = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** IMG_2 before IMG_10; of two that are called the same, the one chosen first. */
export function byName(a: UploadItem, b: UploadItem): number {
  return naturally.compare(a.name, b.name) || a.id - b.id
}

export function inListOrder(itemsByName: Iterable<UploadItem>): UploadItem[] {
  const groups: UploadItem[][] = listOrder.map(() => [])
  for (const item of itemsByName) groups[places[item.status]]?.push(item)
  return groups.flat()
}
