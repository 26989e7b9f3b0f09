export {
  countFilesOfAlbums,
  countSmartAlbum,
  countVideosOfAlbum,
  filesOfAlbum,
  filesOfFolder,
  hasCaptions,
  inOrderOfAlbum,
  statsOfAlbums,
} from './albums.sql.ts'
export { announceFiles, announceGuestFiles } from './announce.ts'
export { captionFile, captionOf } from './captions.ts'
export { correctDates } from './correct-dates.ts'
export { correctPlaces } from './correct-places.ts'
export { countFiles, countFilesByFolder } from './counts.sql.ts'
export { deleteFiles, noSuchFile, renameFile } from './edit.ts'
export { fileCards } from './file-cards.ts'
export { shownEdtf } from './file-date.ts'
export { isWithin } from './filter.sql.ts'
export { noSuchAlbum } from './filter.ts'
export {
  discardGuestFiles,
  hideGuestFiles,
  keepGuestFiles,
  lockDuplicates,
  lockGuestFiles,
  restoreDuplicates,
  showGuestFiles,
} from './guest-files.sql.ts'
export { contentHashOf } from './hidden-files.sql.ts'
export { presentIncomplete } from './incomplete.ts'
export {
  findActiveMedia,
  findPartKeys,
  findPeople,
  hasMoreFiles,
  type LockedMedia,
  lockActiveMedia,
  moveFilesToRoot,
  newestOfFolders,
  shareLockActiveMedia,
} from './media.sql.ts'
export { memoriesForMail } from './memories/memories.ts'
export { endVisit } from './memories/visits.sql.ts'
export { clearPending, markForRemoval } from './pending-objects.sql.ts'
export { enqueueCopyForGuests, enqueuePrepare, jobsOfFailedFiles } from './prepare/jobs.ts'
export type { MediaTools } from './prepare/tools.ts'
export {
  type AlbumStats,
  type SmartAlbumCount,
  smartAlbumCounts,
  storeSmartAlbumCount,
} from './smart-album-counts.sql.ts'
export { extensionOf, storeThenCommit } from './store-files.ts'
export { checkClip, checkOriginal, type IncomingFile, isLivePhotoPair, noPictures } from './upload/check-upload.ts'
export type { GuestSender, ResumableUploads } from './upload/resumable.ts'
export { noSuchUpload, ownerIdOfGuest, ownUpload, type UploadId } from './upload/resumable-store.ts'
export { type ReceivedUpload, type StoreStreamDeps, storeStream } from './upload/store-stream.ts'
export {
  mediaIdOf,
  replaceInPlace,
  type StoredUpload,
  type StoreUploadDeps,
  storeHidden,
  storeInPlace,
  storeUpload,
} from './upload/store-upload.ts'
export type { ReceivedFile } from './upload/upload-form.ts'
export { LOVED, type SidecarFacts, sidecarOf } from './xmp-sidecar.ts'
export { type Archive, type ArchivedFile, openArchive } from './zip/archive.ts'
export { createUniqueNames } from './zip/unique-names.ts'
export { holdersFor } from './zip/zip.ts'
export { directoryRecord, endOfArchive, localHeader } from './zip/zip-format.ts'
export { type ZipSlot, ZipSlots, zipsOfEverybody } from './zip/zip-slots.ts'
