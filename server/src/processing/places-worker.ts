import { placeName } from './places.ts'
import { serveTasks } from './serve-tasks.ts'

/** A process for the gazetteer alone: it weighs 100 MB, and nobody asks it most of the day. */
const tasks = {
  placeName: ({ latitude, longitude }: { latitude: number; longitude: number }) => placeName(latitude, longitude),
}
export type PlacesTasks = typeof tasks

serveTasks(tasks)
