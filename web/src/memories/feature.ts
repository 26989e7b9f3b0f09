import { History } from 'lucide-react'
import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const MemoriesPage = lazy(async () => ({ default: (await import('./MemoriesPage.tsx')).MemoriesPage }))

export const memoriesFeature = {
  pages: [{ path: '/memories', Page: MemoriesPage }],
  places: { memories: { name: 'On this day', icon: History, to: '/memories' } },
} satisfies Feature
