import { formatCount } from '../kit/format.ts'

export const texts = {
  close: 'Close',
  previous: 'Previous file',
  next: 'Next file',
  loading: 'Loading…',
  position: (index: number, total: number) => `${formatCount(index + 1)} of ${formatCount(total)}`,
  preparing: 'This file is still being prepared. It will be here in a moment.',
  gone: 'This file is not in the library any more.',
} as const
