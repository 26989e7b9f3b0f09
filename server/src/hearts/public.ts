export { addImportedHearts, removeImportedHearts } from './imported-hearts.ts'
