import { Heart } from 'lucide-react'
import type { Feature } from '../kit/feature.ts'
import { texts } from './texts.ts'

export const heartsFeature = {
  places: {
    favourites: { name: texts.favourites, icon: Heart, to: me => ({ hearted_by: me.id }), fills: true },
  },
} satisfies Feature
