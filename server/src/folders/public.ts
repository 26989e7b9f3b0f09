export { type FolderFinder, openFolderFinder } from './folder-finder.ts'
