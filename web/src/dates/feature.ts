import { CalendarOff } from 'lucide-react'
import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'
import { texts } from '../media/date-words-texts.ts'

const UndatedPage = lazy(async () => ({ default: (await import('./UndatedPage.tsx')).UndatedPage }))

export const datesFeature = {
  pages: [{ path: '/undated', Page: UndatedPage }],
  places: {
    undated: { name: texts.undated, icon: CalendarOff, to: () => ({ undated: 'true' }), hiddenIfEmpty: true },
  },
} satisfies Feature
