export { fileCards } from './cards.ts'
export { countFiles as countIn, countFilesByFolder as countsByFolder } from './counts.sql.ts'
export { noSuchFile } from './edit.ts'
export { moveFilesToRoot as emptyFolder } from './folder-contents.sql.ts'
export { storeThenCommit as keepFiles } from './keep.ts'
export { clearPending as settleKeys, markForRemoval as noteRemoving } from './loose-keys.sql.ts'
export {
  findActiveMedia as liveMedia,
  type LockedMedia as TakenFile,
  lockActiveMedia as takeLive,
  shareLockActiveMedia as shareLive,
} from './media.sql.ts'
export type { MediaTools } from './prepare/tools.ts'
