import { usePageTitle } from '../kit/settings.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'
import { PhotoCorners } from '../ui/PhotoCorners.tsx'
import { texts } from './texts.ts'

export function GalleryPage() {
  usePageTitle(texts.page)
  return (
    <>
      <PageHeader heading={texts.heading} subtitle={texts.subtitle} />
      <EmptyPage />
    </>
  )
}

/** An album page before the first photo: places of different shapes, waiting. */
function EmptyPage() {
  return (
    <div className="flex items-center justify-center gap-12 py-4 sm:py-12">
      <EmptyPlace shape="aspect-[3/4] w-40" />
      <div className="w-full max-w-md">
        <EmptyState {...texts.empty} />
      </div>
      <EmptyPlace shape="aspect-[4/3] w-52" />
    </div>
  )
}

function EmptyPlace({ shape }: { shape: string }) {
  return (
    <div aria-hidden="true" className={`relative hidden shrink-0 lg:block ${shape}`}>
      <PhotoCorners />
    </div>
  )
}
