import { Trash2 } from 'lucide-react'
import { lazy } from 'react'
import english from '#messages/en/trash-navigation.json' with { type: 'json' }
import type { Feature } from '../kit/feature.ts'
import { translated } from '../kit/messages.ts'
import { useNothingDeleted } from './nothing-deleted.ts'

const RecentlyDeletedPage = lazy(async () => ({
  default: (await import('./RecentlyDeletedPage.tsx')).RecentlyDeletedPage,
}))

/** Apart from the other texts, which the first screen does not need. */
const names = translated('trash-navigation', english)

export const trashFeature = {
  pages: [{ path: '/recently-deleted', Page: RecentlyDeletedPage }],
  places: {
    recentlyDeleted: {
      name: names.recentlyDeleted,
      icon: Trash2,
      to: '/recently-deleted',
      hiddenIfEmpty: true,
      useIsEmpty: useNothingDeleted,
    },
  },
} satisfies Feature
