import type { Bounds } from '#contract/bounds.ts'
import { placeName, searchPlaces, townsWithin } from './places.ts'
import { serveTasks } from './serve-tasks.ts'

/** A separate process for the gazetteer, since it takes 100 MB and is rarely needed. */
const tasks = {
  placeName: ({ latitude, longitude }: { latitude: number; longitude: number }) => placeName(latitude, longitude),
  townsWithin: (bounds: Bounds) => townsWithin(bounds),
  searchPlaces: (name: string) => searchPlaces(name),
}
export type PlacesTasks = typeof tasks

serveTasks(tasks)
