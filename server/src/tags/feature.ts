import type { Feature } from '../feature.ts'
import { tagRoutes } from './routes.ts'
import { type TagDeps, undoTags } from './tags.ts'

export const tagsFeature = {
  routes: tagRoutes,
  undo: undoTags,
  changesSearches: ['tags'],
} satisfies Feature<TagDeps>
