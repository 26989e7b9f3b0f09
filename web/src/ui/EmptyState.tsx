import type { ReactNode } from 'react'
import { PhotoCorners } from './PhotoCorners.tsx'

interface Props {
  title: string
  text: string
  /** `h1` where it is the page's only message. */
  headingLevel?: 'h1' | 'h2'
  /** The action that helps. */
  children?: ReactNode
}

/** A message inside four empty photo corners. */
export function EmptyState({ title, text, headingLevel: Heading = 'h2', children }: Props) {
  return (
    <div className="relative mx-auto flex min-h-60 w-full max-w-md flex-col items-center justify-center gap-2 px-8 py-12 text-center">
      <PhotoCorners />
      <Heading className="font-semibold text-lead">{title}</Heading>
      <p className="text-balance text-ink-soft">{text}</p>
      {children !== undefined && <div className="mt-4 flex flex-wrap justify-center gap-3">{children}</div>}
    </div>
  )
}
