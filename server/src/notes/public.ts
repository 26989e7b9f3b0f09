export { presentNote } from './notes.ts'
