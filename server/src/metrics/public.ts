export { diskOf, lastBackup } from './overview.ts'
