import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const LinksPage = lazy(async () => ({ default: (await import('./LinksPage.tsx')).LinksPage }))

export const linksFeature = {
  pages: [{ path: '/links', Page: LinksPage }],
} satisfies Feature
