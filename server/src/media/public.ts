export { countFilesOfAlbums, countVideosOfAlbum, filesOfAlbum, inOrderOfAlbum, statsOfAlbums } from './albums.sql.ts'
export { countFiles, countFilesByFolder } from './counts.sql.ts'
export { noSuchFile } from './edit.ts'
export { fileCards } from './file-cards.ts'
export { shownEdtf } from './file-date.ts'
export { isWithin } from './filter.sql.ts'
export { noSuchAlbum } from './filter.ts'
export {
  contentHashOf,
  discardGuestFiles,
  hideGuestFiles,
  keepGuestFiles,
  lockGuestFiles,
  lockHeldFiles,
  restoreHeld,
  showGuestFiles,
} from './guest-files.sql.ts'
export {
  findActiveMedia,
  findPartKeys,
  findPeople,
  type LockedMedia,
  lockActiveMedia,
  moveFilesToRoot,
  newestOfFolders,
  shareLockActiveMedia,
} from './media.sql.ts'
export { clearPending, markForRemoval } from './pending-objects.sql.ts'
export { enqueueCopyForGuests } from './prepare/jobs.ts'
export type { MediaTools } from './prepare/tools.ts'
export { extensionOf, storeThenCommit } from './store-files.ts'
export { checkClip, checkOriginal, type IncomingFile, isLivePhotoPair, noPictures } from './upload/check-upload.ts'
export type { GuestSender, ResumableUploads } from './upload/resumable.ts'
export { noSuchUpload, ownerIdOfGuest, ownUpload, type UploadId } from './upload/resumable-store.ts'
export { type StoreUploadDeps, storeHidden } from './upload/store-upload.ts'
export { type ArchivedFile, archiveOf, createUniqueNames } from './zip/archive.ts'
