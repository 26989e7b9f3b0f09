export { type ChangeDeps, recordChange, type UndoKind, type UndoKinds, undoableChanges, undoChange } from './changes.ts'
