import { History } from 'lucide-react'
import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'
import { texts } from './texts.ts'

const MemoriesPage = lazy(async () => ({ default: (await import('./MemoriesPage.tsx')).MemoriesPage }))

export const memoriesFeature = {
  pages: [{ path: '/memories', Page: MemoriesPage }],
  places: { memories: { name: texts.place, icon: History, to: '/memories' } },
} satisfies Feature
