import { Clock, History } from 'lucide-react'
import { createElement, lazy } from 'react'
import { Navigate } from 'react-router'
import type { Feature } from '../kit/feature.ts'
import { RECENT_PATH } from '../kit/filter-path.ts'
import { texts } from './texts.ts'

const MemoriesPage = lazy(async () => ({ default: (await import('./MemoriesPage.tsx')).MemoriesPage }))

export const memoriesFeature = {
  pages: [
    { path: '/memories', Page: MemoriesPage },
    // Of the gallery, whose order is in its address.
    { path: '/recent', Page: () => createElement(Navigate, { to: RECENT_PATH, replace: true }) },
  ],
  places: {
    memories: { name: texts.place, icon: History, to: '/memories' },
    recent: { name: texts.new.recent, icon: Clock, to: RECENT_PATH },
  },
} satisfies Feature
