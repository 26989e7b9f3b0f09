import type { Feature } from '../feature.ts'
import { purgeAlbums } from './albums.sql.ts'
import type { AlbumDeps } from './albums.ts'
import { albumRoutes } from './routes.ts'
import { type CountDeps, keepSmartAlbumCounts } from './smart-album-counts.ts'

export const albumsFeature = {
  routes: albumRoutes,
  background: keepSmartAlbumCounts,
  purge: purgeAlbums,
} satisfies Feature<AlbumDeps & CountDeps>
