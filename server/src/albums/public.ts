export {
  findAlbum,
  insertAlbum,
  insertFiles,
  lockAlbum,
  markAlbumDeleted,
  markFilesRemoved,
  selectPositions,
  sortedByDate,
  updateStatistics,
} from './albums.sql.ts'
export { type AlbumDeps, albumChanged, owns } from './albums.ts'
