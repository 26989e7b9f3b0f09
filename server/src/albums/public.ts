export { findAlbum, insertFiles, lockAlbum, markFilesRemoved, sortedByDate } from './albums.sql.ts'
export { owns } from './albums.ts'
