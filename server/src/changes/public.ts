export { recordChange, type UndoKind, type UndoKinds, undoableChanges } from './changes.ts'
