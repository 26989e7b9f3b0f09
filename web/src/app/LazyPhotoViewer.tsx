import { prefetchedLazy } from '../ui/prefetched-lazy.ts'

/** For every page that shows photos. */
export const PhotoViewer = prefetchedLazy(async () => (await import('./PhotoViewer.tsx')).PhotoViewer)
