import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const RecentlyDeletedPage = lazy(async () => ({
  default: (await import('./RecentlyDeletedPage.tsx')).RecentlyDeletedPage,
}))

export const trashFeature = {
  pages: [{ path: '/recently-deleted', Page: RecentlyDeletedPage }],
} satisfies Feature
