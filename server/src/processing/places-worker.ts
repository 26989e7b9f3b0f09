import { placeName } from './places.ts'
import { serveTasks } from './serve-tasks.ts'

/** A separate process for the gazetteer, since it takes 100 MB and is rarely needed. */
const tasks = {
  placeName: ({ latitude, longitude }: { latitude: number; longitude: number }) => placeName(latitude, longitude),
}
export type PlacesTasks = typeof tasks

serveTasks(tasks)
