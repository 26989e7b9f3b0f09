import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'

const ReviewPage = lazy(async () => ({ default: (await import('./ReviewPage.tsx')).ReviewPage }))

export const guestUploadsFeature = {
  pages: [{ path: '/guest-uploads', Page: ReviewPage }],
} satisfies Feature
