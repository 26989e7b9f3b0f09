import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const PersonPage = lazy(async () => ({ default: (await import('./PersonPage.tsx')).PersonPage }))

export const personFeature = {
  pages: [{ path: '/people/:id', Page: PersonPage }],
} satisfies Feature
