import { lazy } from 'react'
import type { Feature } from '../kit/feature.ts'
import { downloadsPath } from '../media/chosen-download.ts'

const DownloadsPage = lazy(async () => ({ default: (await import('./DownloadsPage.tsx')).DownloadsPage }))

export const exportsFeature = {
  pages: [{ path: downloadsPath, Page: DownloadsPage }],
} satisfies Feature
