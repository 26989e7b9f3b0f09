import { BookImage } from 'lucide-react'
import type { Feature } from '../kit/feature.ts'

/** Its pages are in `app`, because they show other features too. */
export const albumsFeature = {
  places: { albums: { name: 'Albums', icon: BookImage, to: '/albums' } },
} satisfies Feature
