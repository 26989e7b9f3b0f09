import { BookImage } from 'lucide-react'
import type { Feature } from '../kit/feature.ts'
import { texts } from './texts.ts'

/** Its pages are in `app`, because they show other features too. */
export const albumsFeature = {
  places: { albums: { name: texts.page, icon: BookImage, to: '/albums' } },
} satisfies Feature
