import { Calendar, Camera, type LucideIcon, MapPin, Tag, UserRound } from 'lucide-react'
import { mediaSuggestions } from '#contract/media-list.ts'
import { query } from '../kit/queries.ts'
import type { ChipField } from './gallery-address.ts'

/** What the library can be filtered by: places, tags, cameras, years and people. */
export const suggestionsQuery = { ...query(mediaSuggestions, {}), staleTime: 60_000 }

export const suggestionIcons: Record<ChipField, LucideIcon> = {
  place: MapPin,
  area: MapPin,
  tag: Tag,
  camera: Camera,
  year: Calendar,
  date: Calendar,
  uploader: UserRound,
}
