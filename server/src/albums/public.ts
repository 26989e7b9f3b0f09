export { insertFiles, lockAlbum, markFilesRemoved, sortedByDate } from './albums.sql.ts'
