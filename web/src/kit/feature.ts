import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { MediaFilter } from '#contract/media-filter.ts'
import type { User } from '#contract/people.ts'

/**
 * What a feature adds to the frame of the app, in its `feature.ts`; `app/features.ts` lists it. It is loaded with the first
 * screen, so it imports its pages lazily and has its few texts itself.
 */
export interface Feature {
  pages?: readonly Page[]
  places?: Readonly<Record<string, Place>>
}

export interface Page {
  path: string
  Page: ComponentType
}

/** An entry of the navigation. */
export interface Place {
  name: string
  icon: LucideIcon
  /** A page, or a filter of the gallery, whose files are counted. */
  to: string | ((me: User) => MediaFilter)
  /** Whether the icon is filled while it is open. */
  fills?: boolean
  /** Only where there are such files. */
  hiddenIfEmpty?: boolean
  /** A hook, for pages whose files no filter finds; undefined until it is known. */
  useIsEmpty?: () => boolean | undefined
}
