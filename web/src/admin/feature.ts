import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const AdminPage = lazy(async () => ({ default: (await import('./AdminPage.tsx')).AdminPage }))

export const adminFeature = {
  pages: [{ path: '/admin', Page: AdminPage }],
} satisfies Feature
