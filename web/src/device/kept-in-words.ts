import type { KeptList } from '../kit/device-store.ts'
import { formatSize } from '../kit/format.ts'
import { texts } from './keep-texts.ts'

export function keptInWords({ state, done, files, bytes, missing = 0 }: KeptList): string {
  if (state === 'kept' && missing > 0) return texts.keptWithout({ size: formatSize(bytes), count: missing })
  if (state === 'kept') return texts.kept({ size: formatSize(bytes) })
  return state === 'full' ? texts.fullLine({ done, files }) : texts.loading({ done, files })
}
