export {
  reportOf,
  requestImport,
  requestUndo,
  resumeImport,
  runImport,
  runUndo,
  stopImport,
} from './import-jobs.ts'
export { findImport, findUnfinishedImport, insertImport, listImports } from './imports.sql.ts'
