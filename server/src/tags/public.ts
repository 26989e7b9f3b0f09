export { tagFiles } from './tags.ts'
