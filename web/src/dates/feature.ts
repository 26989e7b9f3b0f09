import { CalendarOff } from 'lucide-react'
import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const UndatedPage = lazy(async () => ({ default: (await import('./UndatedPage.tsx')).UndatedPage }))

export const datesFeature = {
  pages: [{ path: '/undated', Page: UndatedPage }],
  places: {
    undated: { name: 'Undated', icon: CalendarOff, to: () => ({ undated: 'true' }), hiddenIfEmpty: true },
  },
} satisfies Feature
